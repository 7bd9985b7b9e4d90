import { parseAddress } from '@proto/core/network';
import { connectUri, type Transport } from '@proto/core/transport';
import { hybridScheme, sseScheme, type SseSchemeOptions } from '@proto/transport-sse';
import { undiciFetch } from '@proto/transport-sse/node';
import {
  type ExecOptions,
  execScheme,
  execWords,
  findAgent,
  inheritEnvironment,
  type SpawnedAgent,
  spawnAgent,
  type StdioOptions,
  stdioScheme,
} from '@proto/transport-stdio';
import { webSocketScheme, type WebSocketSchemeOptions } from '@proto/transport-websocket';
import { openSocket } from '@proto/transport-websocket/node';
import { askForToken } from '../open-session.ts';

/**
 * One side of a bridge: a URI (`-`, `exec:`, `ws:`, `wss:`, `sse+http:`, `sse+https:`, `hybrid+ws:`, `hybrid+wss:`), or a program and its arguments.
 */
export type Endpoint = string | readonly string[];

/** The settings for starting programs. */
export interface ProgramOptions {
  /**
   * The environment of this process. A child process gets the variables that `inheritEnvironment` keeps, and the variables with which a host
   * describes itself.
   */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns further variables for a program. Default: none. */
  readonly variables?: ((program: readonly string[]) => Readonly<Record<string, string>>) | undefined;
  /** Called with what a child writes to stderr. */
  readonly onStderr: (text: string) => void;
}

/** The settings for opening endpoints. */
export interface EndpointOptions extends ProgramOptions {
  /** Returns the token for a host name; undefined if no token is sent. Called for each link. */
  readonly token: (hostname: string) => Promise<string | undefined>;
}

type SchemeOptions = StdioOptions & ExecOptions & WebSocketSchemeOptions & SseSchemeOptions;

/**
 * Opens an endpoint: starts its program, or connects to its address. Rejects if the endpoint is invalid or cannot be opened, and with the errors of
 * `token`.
 */
export async function openEndpoint(endpoint: Endpoint, options: EndpointOptions): Promise<Transport> {
  if (typeof endpoint !== 'string') return startProgram(endpoint, options);
  const all: SchemeOptions = { ...childOptions(wordsOf(endpoint), options), open: openSocket, fetch: undiciFetch() };
  const schemes = [stdioScheme, execScheme, webSocketScheme, sseScheme, hybridScheme(webSocketScheme)];
  const [, plain] = /^(https?):/i.exec(endpoint) ?? [];
  if (plain !== undefined) {
    const scheme = plain.toLowerCase();
    // The message does not quote the address, because it may contain a secret.
    throw new Error(
      `${scheme}:// alone is not an endpoint: write a session on a server as sse+${scheme}://HOST/v1/code/sessions/ID`,
    );
  }
  if (!IS_NETWORK.test(endpoint)) return connectUri<SchemeOptions>(endpoint, schemes, all);
  const { hostname } = parseAddress(endpoint.replace(/^(?:sse|hybrid)\+/i, ''));
  const { credential } = await askForToken(() => options.token(hostname));
  return connectUri<SchemeOptions>(endpoint, schemes, { ...all, ...(credential && { credential }) });
}

const IS_NETWORK = /^(?:(?:sse\+)?https?|(?:hybrid\+)?wss?):\/\//i;

/** Starts a program as a child of this process. */
export function startProgram(program: readonly string[], options: ProgramOptions): SpawnedAgent {
  const [command = '', ...args] = program;
  return spawnAgent({ ...childOptions(program, options), command, args });
}

const ABOUT_HOST = /^CLAUDE_(?:AGENT_SDK_VERSION|CODE_SDK_(?:HAS|READS)_\w+)$/i;

/**
 * Returns the variables with which a host declares what it can answer. If a host starts a bridge as its agent, the host sets these variables for the
 * agent.
 */
export function aboutHost(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const present = Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return Object.fromEntries(present.filter(([name]) => ABOUT_HOST.test(name)));
}

function childOptions(program: readonly string[], options: ProgramOptions): ExecOptions {
  const { env, onStderr } = options;
  return { env: inheritEnvironment({ ...options.variables?.(program), ...aboutHost(env) }, env), onStderr };
}

function wordsOf(endpoint: string): readonly string[] {
  return endpoint.startsWith('exec:') ? execWords(endpoint) : [];
}

/**
 * Checks that the program of an endpoint exists. Does nothing for an endpoint that is not a program.
 *
 * @throws AgentNotFoundError when the program does not exist.
 */
export function checkProgram(endpoint: Endpoint, options: Pick<ProgramOptions, 'env' | 'variables'>): void {
  if (!isProgram(endpoint)) return;
  const program = typeof endpoint === 'string' ? wordsOf(endpoint) : endpoint;
  const { env } = childOptions(program, { ...options, onStderr() {} });
  findAgent({ command: program[0] ?? '', ...(env !== undefined && { env }) });
}

/** Whether one side of a bridge is given as an endpoint and not as an open transport. */
export function isEndpoint(side: object | string): side is Endpoint {
  return typeof side === 'string' || Array.isArray(side);
}

/** Whether an endpoint is a program that this process starts. */
export function isProgram(endpoint: Endpoint): boolean {
  return typeof endpoint !== 'string' || endpoint.startsWith('exec:');
}

/** Whether an endpoint is stdin and stdout of this process. */
export function isOwnStdio(endpoint: Endpoint): boolean {
  return endpoint === '-' || endpoint === 'stdio:';
}
