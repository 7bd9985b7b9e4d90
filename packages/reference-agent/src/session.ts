import { createPermissions, type Permissions } from './permissions/permissions.ts';
import { settingsRulesOf } from './permissions/settings-rules.ts';
import type { Thread } from './thread.ts';
import { agentTool } from './tools/agent.ts';
import { askUserQuestion } from './tools/ask-user-question.ts';
import { isMcpName, mcpTool } from './tools/mcp.ts';
import { createMemoryTools } from './tools/memory.ts';
import { structuredOutput } from './tools/structured-output.ts';
import type { Tool, ToolProfile } from './tools/tool.ts';
import { createUsage, type Usage } from './usage.ts';

/** What a reference agent is made of; names and meanings of the flags of an agent executable. */
export interface ReferenceAgentOptions {
  /** What `/read`, `/write` and `/bash` use. Default: files in memory, and a shell that knows `echo`, `sleep` and `exit`. */
  readonly tools?: readonly Tool[];
  /** The working directory: what is in it may be read. Default `/`. */
  readonly cwd?: string;
  readonly addDir?: readonly string[];
  readonly permissionMode?: string;
  readonly allowedTools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  readonly allowDangerouslySkipPermissions?: boolean;
  readonly dangerouslySkipPermissions?: boolean;
  readonly permissionPromptTool?: string;
  /** How many replies a turn may have. Default: any number. */
  readonly maxTurns?: number;
  /** What the session may cost. The prices are made up, and always the same. Default: any amount. */
  readonly maxBudgetUsd?: number;
  /** Each turn gives a value of this form. The host's `initialize` may name another. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
  /** Rules are taken from `permissions`. Settings that ask for a sandbox are refused: there is none. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Tell when a reply begins, as real agents do where they stream. */
  readonly includePartialMessages?: boolean;
}

/** What lasts from turn to turn. */
export interface ReferenceSession {
  readonly options: ReferenceAgentOptions;
  readonly permissions: Permissions;
  readonly usage: Usage;
  /** The names of the agent's own tools. */
  readonly toolNames: readonly string[];
  /** A tool as that thread may call it. */
  tool(name: string, thread: Thread): Tool | undefined;
  /** One of the agent's own tools; they are the same in every thread. */
  ownTool(name: string): Tool | undefined;
  /** What is to be known of a tool to decide on a call. */
  profile(name: string): ToolProfile | undefined;
}

function startMode({ permissionMode, dangerouslySkipPermissions }: ReferenceAgentOptions): string {
  // What recent hosts call the default mode.
  if (permissionMode === 'manual') return 'default';
  return permissionMode ?? (dangerouslySkipPermissions === true ? 'bypassPermissions' : 'default');
}

/** The rules of the flags, and beside them those of the settings. */
function permissionsOf(options: ReferenceAgentOptions, cwd: string): Permissions {
  const { settings = {}, allowDangerouslySkipPermissions, dangerouslySkipPermissions } = options;
  const mode = startMode(options);
  const noBypass = Object(settings['permissions']).disableBypassPermissionsMode === 'disable';
  if (Object(settings['sandbox']).enabled === true) {
    throw new Error('the settings ask for a sandbox (sandbox.enabled), and this agent has none');
  }
  if (noBypass && mode === 'bypassPermissions') {
    throw new Error('the settings do not let permissions be skipped (permissions.disableBypassPermissionsMode)');
  }
  const mayBypass = allowDangerouslySkipPermissions === true || dangerouslySkipPermissions === true;
  const permissions = createPermissions({ ...options, cwd, mayBypass: mayBypass && !noBypass, permissionMode: mode });
  const rules = settingsRulesOf(settings);
  if (rules !== undefined) permissions.setRules(rules);
  return permissions;
}

/** Makes a session with nothing said yet. Throws for settings that could not be kept to. */
export function createReferenceSession(options: ReferenceAgentOptions): ReferenceSession {
  const { cwd = '/', tools = createMemoryTools(cwd), permissionPromptTool } = options;
  const permissions = permissionsOf(options, cwd);
  // A question to the user is for those who are there to be asked.
  const asking = permissionPromptTool === undefined ? [] : [askUserQuestion];
  const own = new Map([...tools, ...asking].map((tool) => [tool.name, tool]));
  const internal = { Agent: agentTool, StructuredOutput: structuredOutput };
  const isOffered = (name: string) => permissions.isOffered(name);
  return {
    options,
    permissions,
    usage: createUsage(),
    toolNames: [...own.keys(), 'Agent'].filter(isOffered),
    tool(name, thread) {
      if (!isOffered(name)) return undefined;
      if (isMcpName(name)) return mcpTool(name, thread.turn);
      if (name === 'Agent' || name === 'StructuredOutput') return internal[name](thread);
      return own.get(name);
    },
    ownTool: (name) => (isOffered(name) ? own.get(name) : undefined),
    profile(name) {
      if (isMcpName(name)) return { name, effect: 'serves' };
      if (Object.hasOwn(internal, name)) return { name, effect: 'nothing' };
      return own.get(name);
    },
  };
}
