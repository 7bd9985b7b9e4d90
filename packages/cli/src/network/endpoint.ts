import { connectTransport, parseAddress, type Transport } from '@proto/core/transport';
import { sseScheme, type SseSchemeOptions } from '@proto/transport-sse';
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
import { ownVariables } from '../own-variables.ts';
import { clientToken } from './client-token.ts';

/** What a command line names to talk to: a URI, or a program and its arguments. */
export type Endpoint = string | readonly string[];

/** How endpoints are opened. */
export interface EndpointOptions {
  /** The file of the token that is sent; without it, it is where `clientToken` looks. */
  readonly tokenFile: string | undefined;
  readonly cwd: string;
  /** That of this process. A child gets what `inheritEnvironment` leaves of it, and what a host says there about itself. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onStderr: (text: string) => void;
}

type SchemeOptions = StdioOptions & ExecOptions & WebSocketSchemeOptions & SseSchemeOptions;

/**
 * Opens what a command line names. Rejects with a `TransportError` where it cannot mean anything, and where there is no token in a file that
 * is to have one. The token is read again for each link.
 */
export async function openEndpoint(endpoint: Endpoint, options: EndpointOptions): Promise<Transport> {
  const { tokenFile, cwd, env } = options;
  if (typeof endpoint !== 'string') return startProgram(endpoint, options);
  const all: SchemeOptions = { ...childOptions(wordsOf(endpoint), options), open: openSocket, fetch: undiciFetch() };
  const schemes = [stdioScheme, execScheme, webSocketScheme, sseScheme];
  // Not quoted: the rest of it may hold a secret.
  const [, plain] = /^(https?):/i.exec(endpoint) ?? [];
  if (plain !== undefined) {
    const scheme = plain.toLowerCase();
    throw new Error(
      `${scheme}:// alone is no endpoint: a session on a server is sse+${scheme}://HOST/v1/code/sessions/ID`,
    );
  }
  if (!IS_NETWORK.test(endpoint)) return connectTransport<SchemeOptions>(endpoint, schemes, all);
  const { hostname } = parseAddress(endpoint.replace(/^sse\+/, ''));
  const token = () => clientToken({ tokenFile, hostname, cwd, env });
  const present = await token();
  // A server that asks for none is not sent an empty one.
  const again = present === undefined ? undefined : async () => (await token()) ?? present;
  return connectTransport<SchemeOptions>(endpoint, schemes, {
    ...all,
    ...(again !== undefined && { credential: again }),
  });
}

const IS_NETWORK = /^(?:sse\+)?(?:https?|wss?):\/\//i;

/** Starts a program of a command line. */
export function startProgram(
  program: readonly string[],
  options: Pick<EndpointOptions, 'env' | 'onStderr'>,
): SpawnedAgent {
  const [command = '', ...args] = program;
  return spawnAgent({ ...childOptions(program, options), command, args });
}

// A host that starts this program as its agent says by these what it can answer, and means the agent behind.
const ABOUT_HOST = /^CLAUDE_(?:AGENT_SDK_VERSION|CODE_SDK_(?:HAS|READS)_\w+)$/i;

function childOptions(
  program: readonly string[],
  { env, onStderr }: Pick<EndpointOptions, 'env' | 'onStderr'>,
): ExecOptions {
  const aboutHost = Object.entries(env).flatMap(([name, value]): [string, string][] =>
    value !== undefined && ABOUT_HOST.test(name) ? [[name, value]] : [],
  );
  return {
    env: inheritEnvironment({ ...ownVariables(program, env), ...Object.fromEntries(aboutHost) }, env),
    onStderr,
  };
}

/** The words of a program that a URI names; none for any other. */
function wordsOf(endpoint: string): readonly string[] {
  return endpoint.startsWith('exec:') ? execWords(endpoint) : [];
}

/** Looks whether the program of an endpoint is there, where it is one. Throws `AgentNotFoundError` where it is not. */
export function checkProgram(endpoint: Endpoint, { env }: Pick<EndpointOptions, 'env'>): void {
  const program = typeof endpoint === 'string' ? wordsOf(endpoint) : endpoint;
  if (!isProgram(endpoint)) return;
  const { env: own } = childOptions(program, { env, onStderr() {} });
  findAgent({ command: program[0] ?? '', ...(own !== undefined && { env: own }) });
}

/** Whether it is a program that this one starts. */
export function isProgram(endpoint: Endpoint): boolean {
  return typeof endpoint !== 'string' || endpoint.startsWith('exec:');
}

/** Whether it is this process's own stdin and stdout. */
export function isOwnStdio(endpoint: Endpoint): boolean {
  return endpoint === '-' || endpoint === 'stdio:';
}
