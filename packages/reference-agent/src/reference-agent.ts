import type { AgentOptions } from '@proto/agent';
import { COMMANDS } from './commands/commands.ts';
import { readFileRequest, usageRequests } from './host-requests.ts';
import { settingsRulesOf } from './permissions/settings-rules.ts';
import type { ReferenceAgentOptions } from './reference-agent-options.ts';
import { createReferenceSession } from './reference-session.ts';
import type { ToolProfile } from './tools/tool.ts';
import { runTurn } from './turns/run-turn.ts';

/** The parts of `AgentOptions` that the reference agent fills: its turns, its rules, and what it tells of itself. */
export type ReferenceAgent = Required<
  Pick<
    AgentOptions,
    | 'runTurn'
    | 'tools'
    | 'init'
    | 'capabilities'
    | 'localPermissionCheck'
    | 'applyPermissionUpdates'
    | 'applyPermissionMode'
    | 'applySettings'
    | 'handlers'
  >
>;

const AGENTS = [{ name: 'general-purpose', description: 'Runs the command it is given.' }];
const MODELS = [{ value: 'default', displayName: 'Reference', description: 'No model: the same answers each time.' }];

/**
 * Makes the reference agent of one session: a prompt is a list of commands, one a line, all run in one turn; a line that is no command
 * is answered as text. The same prompt gives the same texts, tokens and costs each time.
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
    init: () => ({
      // As the rules have it: they do not take every mode that comes with a permission.
      permissionMode: permissions.mode,
      slash_commands: commands.map(({ name }) => name),
      agents: AGENTS.map(({ name }) => name),
    }),
    capabilities: () => ({ commands, agents: AGENTS, models: MODELS }),
    async localPermissionCheck({ tool, input }) {
      const profile = session.profile(tool);
      if (profile === undefined) return { behavior: 'deny', message: `There is no tool with the name ${tool}.` };
      return permissions.check(profile, input, await aboutOf(profile, input));
    },
    applyPermissionUpdates: (updates) => permissions.apply(updates),
    applyPermissionMode: (mode) => permissions.setMode(mode),
    applySettings(settings) {
      const rules = settingsRulesOf(settings);
      if (rules !== undefined) permissions.setRules(rules);
    },
    handlers: { ...usageRequests(session), read_file: readFileRequest(session) },
  };
}

/** What rules are held against: the command, or the file. */
async function aboutOf(
  { effect, pathOf }: ToolProfile,
  input: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  if (effect === 'executes') return String(input['command']);
  return pathOf?.(input);
}
