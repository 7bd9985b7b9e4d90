import { FLAGS } from './flags.ts';
import type { FlagOptions, HeadlessOptions, JsonObject } from './options.ts';

/**
 * What a flag does: `runner`, it works whatever agent runs · `agent`, it works where the agent reads it, and is taken without effect
 * elsewhere · `promise`, the same, and refused elsewhere: the host counts on it, for its safety or for what comes back · `none`, it is
 * taken, and nothing here has a use for it.
 */
export type FlagEffect = 'runner' | 'agent' | 'promise' | 'none';

/** The effect of every flag. */
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
  // Without it more is asked, not less.
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
  sessionPersistence: 'runner',
  sessionMirror: 'runner',
  // What of them forbids something is a promise; see there.
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

/** The text of `--explain-flags`: the flags that are taken without effect, by an agent that reads some options itself. */
export function explainFlags(read: readonly (keyof FlagOptions)[] = []): string {
  const names = Object.keys(FLAGS) as (keyof FlagOptions)[];
  const unread = names.filter((name) => !read.includes(name));
  const idle = unread.filter((name) => FLAG_EFFECTS[name] === 'none' || FLAG_EFFECTS[name] === 'agent');
  const refused = unread.filter((name) => FLAG_EFFECTS[name] === 'promise');
  return [
    'Accepted, but without effect here:',
    ...idle.map(lineOf),
    ...(refused.length === 0 ? [] : ['Refused, because this agent does not say that it keeps to them:']),
    ...refused.map(lineOf),
    '',
  ].join('\n');
}

function lineOf(name: keyof FlagOptions): string {
  return `  ${FLAGS[name].notation}`;
}

/**
 * A flag that the host counts on, and that this agent does not say it reads: why it is refused. To pass over a limit or a policy in
 * silence would be worse than not to start.
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
  return `${what} is not supported: this agent does not say that it keeps to it (one that does has '${name}' in its reads)`;
}

/** Whether anything is limited: not by the agent's own set of tools, nor by an empty list of forbidden ones. */
function asks(name: keyof FlagOptions, value: unknown): boolean {
  if (name === 'tools') return value !== undefined && value !== 'default';
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

/** The first member of settings that forbids something or confines it; undefined where none does. */
function limitIn({ permissions, sandbox }: JsonObject): string | undefined {
  const { deny, ask, disableBypassPermissionsMode: noBypass } = Object(permissions) as JsonObject;
  if (Array.isArray(deny) && deny.length > 0) return 'permissions.deny';
  if (Array.isArray(ask) && ask.length > 0) return 'permissions.ask';
  if (noBypass === 'disable') return 'permissions.disableBypassPermissionsMode';
  return Object(sandbox).enabled === true ? 'sandbox.enabled' : undefined;
}

/** As it is written on a command line. */
function flagOf(name: keyof FlagOptions): string {
  return /--[a-z-]+/.exec(FLAGS[name].notation)?.[0] ?? name;
}
