import { readFile } from 'node:fs/promises';
import type { WireMessage } from '@proto/core/framing';
import { isRecord, parseConfig, RepeatedNameError } from '@proto/core/internal';
import type { HeadlessEnvironment, HeadlessAgentOptions, HeadlessStart } from './environment.ts';
import type { HeadlessOptions, JsonObject } from './flags/options.ts';
import { openSessionFile } from './sessions/open-session.ts';
import type { MissingSession, OpenedSession, SessionPlace } from './sessions/opened-session.ts';

export interface ReadySession extends OpenedSession {
  readonly agentOptions: HeadlessAgentOptions;
  /** The names of the MCP servers that run in the host, as given on the command line. */
  readonly sdkMcpServers: readonly string[];
  /** The first turn waits for these messages of the start hooks. */
  readonly started: Promise<readonly WireMessage[]>;
}

/** Starts the hooks, runs `setUp` while the settings are loaded, and then opens the session. Rejects with the first error. */
export async function setUp(
  environment: HeadlessEnvironment,
  start: HeadlessStart,
  place: SessionPlace,
): Promise<ReadySession | MissingSession> {
  const { settings, openSession = openSessionFile } = environment;
  const started = startHooks(environment, start);
  // The first turn reports an error in the hooks. Without a turn, the error would be an unhandled rejection.
  started.catch(() => {});
  const [servers] = await Promise.all([mcpServers(start.options), environment.setUp?.(start), settings?.load?.()]);
  if (servers.others.length > 0 && !environment.reads?.includes('mcpConfig')) place.warn(leftOut(servers.others));
  const opened = await openSession(start.options, place);
  if ('missing' in opened) return opened;
  start.onExit(() => opened.close?.());
  return {
    ...opened,
    agentOptions: (await environment.agentOptions?.(start, opened)) ?? {},
    sdkMcpServers: servers.inHost,
    started,
  };
}

function leftOut(names: readonly string[]): string {
  const which = `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} ignored`;
  return `Warning: --mcp-config: this agent does not start MCP servers, so ${which}. Only servers of type "sdk", which run in the host, are used`;
}

async function startHooks(
  { sessionStart }: HeadlessEnvironment,
  start: HeadlessStart,
): Promise<readonly WireMessage[]> {
  return (await sessionStart?.(start)) ?? [];
}

export interface McpServerNames {
  /** The servers of type `sdk`, which run in the host. */
  readonly inHost: readonly string[];
  readonly others: readonly string[];
}

/** Rejects if a configuration cannot be read. */
export async function mcpServers({ mcpConfig = [] }: HeadlessOptions): Promise<McpServerNames> {
  const configs = await Promise.all(
    mcpConfig.map(async (config) => (typeof config === 'string' ? load(config) : config)),
  );
  const servers = configs.flatMap((config) => Object.entries(isRecord(config.mcpServers) ? config.mcpServers : {}));
  const isInHost = (server: unknown) => isRecord(server) && server['type'] === 'sdk';
  const namesOf = (inHost: boolean) => [
    ...new Set(servers.flatMap(([name, server]) => (isInHost(server) === inHost ? name : []))),
  ];
  return { inHost: namesOf(true), others: namesOf(false) };
}

async function load(path: string): Promise<JsonObject> {
  let config: unknown;
  try {
    config = parseConfig(await readFile(path, 'utf8'));
  } catch (cause) {
    if (cause instanceof RepeatedNameError)
      throw new Error(`Invalid MCP configuration: ${path}: ${cause.message}`, { cause });
    throw new Error(`Invalid MCP configuration: ${path} cannot be read, or does not contain JSON`, { cause });
  }
  if (!isRecord(config)) throw new Error(`Invalid MCP configuration: ${path} must contain a JSON object`);
  return config;
}
