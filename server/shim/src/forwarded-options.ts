import { parseJson } from '@proto/core/framing';
import { readFile } from 'node:fs/promises';
import type { HeadlessOptions } from '@proto/headless';
import { ShimError } from './shim-error.ts';

/** Which options of a command line are sent to the remote agent, and which are not. */
export interface ForwardedOptions {
  /** Members that are added to `initialize`, unless the host sets them itself. */
  readonly initialize: Readonly<Record<string, unknown>>;
  /** The control requests that follow `initialize`. `flag` names the flag of the command line, for the error of a refused request. */
  readonly requests: readonly { readonly flag: string; readonly request: Readonly<Record<string, unknown>> }[];
  /** The flags that are not sent to the remote agent. */
  readonly left: readonly string[];
}

type Name = keyof HeadlessOptions;

// The options that the shim handles itself, and the options that have no effect on an agent that is already running.
const SERVED: readonly Name[] = [
  'prompt',
  'print',
  'outputFormat',
  'inputFormat',
  'verbose',
  'includePartialMessages',
  'replayUserMessages',
  'permissionPromptTool',
  'permissionPrompts',
  'continue',
  'resume',
  'sessionId',
  'debug',
  'debugFile',
  'debugToStderr',
  'awaitInitialize',
  'allowDangerouslySkipPermissions',
];
const BY_INITIALIZE: readonly (readonly [Name, string])[] = [
  ['appendSystemPrompt', 'appendSystemPrompt'],
  ['jsonSchema', 'jsonSchema'],
  ['agents', 'agents'],
  ['promptSuggestions', 'promptSuggestions'],
  ['forwardSubagentText', 'forwardSubagentText'],
  ['excludeDynamicSystemPromptSections', 'excludeDynamicSections'],
  ['systemPromptSnapshot', 'systemPromptSnapshot'],
];
const BY_REQUEST: readonly Name[] = [
  'model',
  'permissionMode',
  'dangerouslySkipPermissions',
  'maxThinkingTokens',
  'allowedTools',
  'disallowedTools',
  'settings',
];
const BEGINNING: readonly Name[] = ['systemPrompt', 'systemPromptFile', 'mcpConfig'];
// The options that cannot apply to a session that already exists. The shim then refuses to start, because it could not do what the host requested.
const IMPOSSIBLE: readonly Name[] = [
  'forkSession',
  'resumeSessionAt',
  'resumeDropsTurn',
  'rewindFiles',
  'teleport',
  'sdkUrl',
];

/**
 * Sorts the options of a host by how they reach the remote agent.
 *
 * @throws ShimError for an option that does not work with a remote agent, and for a file that cannot be read
 */
export async function forwardOptions(options: HeadlessOptions): Promise<ForwardedOptions> {
  // `--no-session-persistence` sets the option to false; true is the default.
  const given = (name: Name) =>
    options[name] !== undefined && !(name === 'sessionPersistence' && options[name] === true);
  const impossible = IMPOSSIBLE.find(given);
  if (impossible !== undefined) {
    throw new ShimError('unsupported-option', `${flagOf(impossible)} cannot be used with an agent on another machine`);
  }
  const servers = Object.entries(await mcpServersOf(options));
  const own = servers.filter(([, server]) => Object(server).type === 'sdk').map(([name]) => name);
  const prompt =
    options.systemPromptFile === undefined ? options.systemPrompt : await readFile(options.systemPromptFile, 'utf8');
  const initialize = {
    ...(prompt !== undefined && { systemPrompt: [prompt] }),
    ...(own.length > 0 && { sdkMcpServers: own }),
    ...Object.fromEntries(BY_INITIALIZE.flatMap(([name, member]) => (given(name) ? [[member, options[name]]] : []))),
  };
  const known = [...SERVED, ...BY_INITIALIZE.map(([name]) => name), ...BY_REQUEST, ...BEGINNING];
  const left = (Object.keys(options) as Name[]).filter((name) => given(name) && !known.includes(name)).map(flagOf);
  if (own.length < servers.length) left.push('--mcp-config (the servers that do not run in the host)');
  return { initialize, requests: await requestsOf(options), left };
}

async function requestsOf(options: HeadlessOptions): Promise<ForwardedOptions['requests']> {
  const { model, permissionMode, dangerouslySkipPermissions, maxThinkingTokens, allowedTools, disallowedTools } =
    options;
  const mode = permissionMode ?? (dangerouslySkipPermissions ? 'bypassPermissions' : undefined);
  const settings = await settingsOf(options.settings);
  const { permissions, ...others } = settings;
  const { allow = [], deny = [] } = Object(permissions) as { allow?: readonly string[]; deny?: readonly string[] };
  const rules = {
    ...Object(permissions),
    allow: [...allow, ...(allowedTools ?? [])],
    deny: [...deny, ...(disallowedTools ?? [])],
  };
  const hasRules = permissions !== undefined || rules.allow.length + rules.deny.length > 0;
  const merged = hasRules ? { ...others, permissions: rules } : others;
  const flags = ['--allowed-tools', '--disallowed-tools', '--settings'].join(', ');
  return [
    ...(Object.keys(merged).length > 0
      ? [{ flag: flags, request: { subtype: 'apply_flag_settings', settings: merged } }]
      : []),
    ...(model === undefined ? [] : [{ flag: '--model', request: { subtype: 'set_model', model } }]),
    ...(mode === undefined
      ? []
      : [
          {
            flag: '--permission-mode',
            request: { subtype: 'set_permission_mode', mode: mode === 'manual' ? 'default' : mode },
          },
        ]),
    ...(maxThinkingTokens === undefined
      ? []
      : [
          {
            flag: '--max-thinking-tokens',
            request: { subtype: 'set_max_thinking_tokens', max_thinking_tokens: maxThinkingTokens },
          },
        ]),
  ];
}

async function settingsOf(settings: HeadlessOptions['settings']): Promise<Readonly<Record<string, unknown>>> {
  return typeof settings === 'string' ? parsedFile(settings) : (settings ?? {});
}

async function mcpServersOf({ mcpConfig = [] }: HeadlessOptions): Promise<Readonly<Record<string, unknown>>> {
  const servers: Record<string, unknown> = {};
  for (const given of mcpConfig) {
    const { mcpServers } = typeof given === 'string' ? await parsedFile(given) : given;
    Object.assign(servers, mcpServers);
  }
  return servers;
}

async function parsedFile(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return Object(parseJson(await readFile(path, 'utf8')));
  } catch (error) {
    throw new ShimError('unreadable-file', `${path} cannot be read, or does not contain JSON`, { cause: error });
  }
}

function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
