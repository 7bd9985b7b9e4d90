import type { AgentMcpOptions, AgentOptions, AgentPermissionOptions } from '@proto/agent';
import { COMMANDS } from './commands/commands.ts';
import { readFileRequest, usageRequests } from './host-requests.ts';
import { settingsRulesOf } from './permissions/settings-rules.ts';
import type { ReferenceAgentOptions } from './reference-agent-options.ts';
import { createReferenceSession } from './reference-session.ts';
import type { ToolProfile } from './tools/tool.ts';
import { runTurn } from './turns/run-turn.ts';

/** The members of `AgentOptions` that the reference agent provides: its turns, its rules, and its answer to `initialize`. */
export interface ReferenceAgent
  extends Required<
    Pick<AgentOptions, 'runTurn' | 'tools' | 'initMessage' | 'initializeResponse' | 'onSettings' | 'handlers'>
  > {
  /** The rules of the agent, and how the host changes them. */
  readonly permissions: Required<Pick<AgentPermissionOptions, 'check' | 'onUpdates' | 'onModeChange'>>;
  /** How the host limits the tools of one MCP server. */
  readonly mcp: Required<Pick<AgentMcpOptions, 'onPermissionModeChange'>>;
}

const AGENTS = [{ name: 'general-purpose', description: 'Runs the given command.' }];
const MODELS = [
  { value: 'default', displayName: 'Reference', description: 'No model: the same prompt always gets the same answer.' },
];

/**
 * Creates the reference agent of one session. A prompt is a list of commands, one on each line, which run in one turn. The agent answers a line
 * without a command with a text. The same prompt always produces the same texts, tokens and costs.
 * @throws {Error} for settings that this agent cannot obey, such as a sandbox.
 */
export function createReferenceAgent(options: ReferenceAgentOptions = {}): ReferenceAgent {
  const session = createReferenceSession(options);
  const { permissions } = session;
  const commands = Object.entries(COMMANDS).map(([name, { description, argumentHint }]) => ({
    name,
    description,
    argumentHint,
  }));
  return {
    runTurn: (turn) => runTurn(session, turn),
    tools: () => session.toolNames.map((name) => ({ name })),
    initMessage: () => ({
      // The mode is read from the permission rules, because they do not accept every mode that an answer to a permission request sets.
      permissionMode: permissions.mode,
      slash_commands: commands.map(({ name }) => name),
      agents: AGENTS.map(({ name }) => name),
    }),
    initializeResponse: () => ({ commands, agents: AGENTS, models: MODELS }),
    permissions: {
      async check({ tool, input }) {
        const profile = session.profile(tool);
        if (profile === undefined) return { behavior: 'deny', message: `The tool ${tool} is not available.` };
        return permissions.check(profile, input, await commandOrPathOf(profile, input));
      },
      onUpdates: (updates) => permissions.apply(updates),
      onModeChange: (mode) => permissions.setMode(mode),
    },
    // `default` and `auto` limit the server in the same way, because this agent asks the user even in the mode `auto`. `null` ends the limit.
    mcp: { onPermissionModeChange: (server, mode) => permissions.limitServer(server, mode !== null) },
    onSettings(settings) {
      const rules = settingsRulesOf(settings);
      if (rules !== undefined) permissions.setSettingsRules(rules);
    },
    handlers: {
      ...usageRequests(session),
      read_file: readFileRequest(session),
      list_permission_rules: () => ({ state: permissions.listed }),
    },
  };
}

async function commandOrPathOf(
  { effect, pathOf }: ToolProfile,
  input: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  if (effect === 'executes') return String(input['command']);
  return pathOf?.(input);
}
