import { FLAGS } from './flags.ts';
import type { FlagOptions, HeadlessOptions, JsonObject } from './options.ts';

/**
 * The effect of a flag. `runner`: the flag works for every agent. `agent`: the flag works if the agent reads it, and has no effect otherwise.
 * `promise`: the flag works if the agent reads it, and is refused otherwise, because the host relies on the flag. `none`: the flag is accepted and
 * ignored.
 */
export type FlagEffect = 'runner' | 'agent' | 'promise' | 'none';

export const FLAG_EFFECTS: { readonly [Name in keyof FlagOptions]-?: FlagEffect } = {
  print: 'runner',
  outputFormat: 'runner',
  inputFormat: 'runner',
  verbose: 'runner',
  systemPrompt: 'agent',
  appendSystemPrompt: 'agent',
  systemPromptFile: 'agent',
  model: 'runner',
  fallbackModel: 'agent',
  maxTurns: 'promise',
  maxBudgetUsd: 'promise',
  taskBudget: 'none',
  thinking: 'none',
  thinkingDisplay: 'none',
  maxThinkingTokens: 'none',
  effort: 'none',
  betas: 'none',
  // An agent that ignores this flag only asks for more permissions, so the flag need not be refused.
  allowedTools: 'agent',
  disallowedTools: 'promise',
  tools: 'promise',
  permissionMode: 'runner',
  permissionPromptTool: 'runner',
  permissionPrompts: 'runner',
  allowDangerouslySkipPermissions: 'agent',
  dangerouslySkipPermissions: 'runner',
  continue: 'runner',
  resume: 'runner',
  sessionId: 'runner',
  forkSession: 'runner',
  resumeSessionAt: 'runner',
  resumeDropsTurn: 'runner',
  teleport: 'runner',
  sessionLayout: 'runner',
  sessionPersistence: 'runner',
  sessionMirror: 'runner',
  // Settings that forbid something are treated as a `promise`; see `limitIn`.
  settings: 'agent',
  managedSettings: 'promise',
  settingSources: 'none',
  addDir: 'agent',
  projectConfigRoot: 'none',
  mcpConfig: 'runner',
  strictMcpConfig: 'none',
  pluginDir: 'none',
  pluginDirNoMcp: 'none',
  agent: 'agent',
  agents: 'agent',
  jsonSchema: 'promise',
  includePartialMessages: 'runner',
  includeHookEvents: 'none',
  replayUserMessages: 'runner',
  forwardSubagentText: 'none',
  promptSuggestions: 'none',
  excludeDynamicSystemPromptSections: 'none',
  systemPromptSnapshot: 'none',
  debug: 'runner',
  debugFile: 'runner',
  debugToStderr: 'runner',
  awaitInitialize: 'runner',
  sdkUrl: 'runner',
  mirror: 'runner',
  enableAuthStatus: 'runner',
  workload: 'none',
  rewindFiles: 'none',
  init: 'none',
  maintenance: 'none',
};

/** Lists the flags that have no effect for an agent that reads the given options. */
export function explainFlags(read: readonly (keyof FlagOptions)[] = []): string {
  const names = Object.keys(FLAGS) as (keyof FlagOptions)[];
  const unread = names.filter((name) => !read.includes(name));
  const idle = unread.filter((name) => FLAG_EFFECTS[name] === 'none' || FLAG_EFFECTS[name] === 'agent');
  const refused = unread.filter((name) => FLAG_EFFECTS[name] === 'promise');
  return [
    'Accepted, but without effect for this agent:',
    ...idle.map(lineOf),
    ...(refused.length === 0 ? [] : ['Refused, because this agent does not declare support for them:']),
    ...refused.map(lineOf),
    '',
  ].join('\n');
}

function lineOf(name: keyof FlagOptions): string {
  return `  ${FLAGS[name].notation}`;
}

/**
 * Returns an error for a flag that the host relies on but that this agent does not read. An agent that silently ignores a limit or a policy is worse
 * than an agent that does not start.
 */
export function unkeptPromise(options: HeadlessOptions, read: readonly (keyof FlagOptions)[] = []): string | undefined {
  const names = Object.keys(FLAG_EFFECTS) as (keyof FlagOptions)[];
  const unkept = names.find(
    (name) => FLAG_EFFECTS[name] === 'promise' && asks(name, options[name]) && !read.includes(name),
  );
  if (unkept !== undefined) return sentence(flagOf(unkept), unkept);
  const { settings } = options;
  const limit = typeof settings === 'object' && !read.includes('settings') ? limitIn(settings) : undefined;
  return limit && sentence(`--settings with ${limit}`, 'settings');
}

function sentence(what: string, name: keyof FlagOptions): string {
  return `${what} is not supported: this agent does not declare support for '${name}' in \`reads\``;
}

/** Neither the agent's default tools nor an empty list of forbidden tools is a limit. */
function asks(name: keyof FlagOptions, value: unknown): boolean {
  if (name === 'tools') return value !== undefined && value !== 'default';
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

/** Returns the first member of the settings that forbids or restricts something. Returns `undefined` if no member does. */
function limitIn({ permissions, sandbox }: JsonObject): string | undefined {
  const { deny, ask, disableBypassPermissionsMode: noBypass } = Object(permissions) as JsonObject;
  if (Array.isArray(deny) && deny.length > 0) return 'permissions.deny';
  if (Array.isArray(ask) && ask.length > 0) return 'permissions.ask';
  if (noBypass === 'disable') return 'permissions.disableBypassPermissionsMode';
  return Object(sandbox).enabled === true ? 'sandbox.enabled' : undefined;
}

function flagOf(name: keyof FlagOptions): string {
  return /--[a-z-]+/.exec(FLAGS[name].notation)?.[0] ?? name;
}
