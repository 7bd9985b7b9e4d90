import { connectTransport, type Transport } from '@proto/core/transport';
import { sseScheme, type SseSchemeOptions } from '@proto/transport-sse';
import { undiciFetch } from '@proto/transport-sse/node';
import {
  type ExecOptions,
  execScheme,
  inheritEnvironment,
  type SpawnedAgent,
  spawnAgent,
  type StdioOptions,
  stdioScheme,
} from '@proto/transport-stdio';
import { webSocketScheme, type WebSocketSchemeOptions } from '@proto/transport-websocket';
import { openSocket } from '@proto/transport-websocket/node';
import { clientToken } from './client-token.ts';

/** What a command line names to talk to: a URI, or a program and its arguments. */
export type Endpoint = string | readonly string[];

/** How endpoints are opened. */
export interface EndpointOptions {
  /** The file of the token that is sent; without it, it is where `clientToken` looks. */
  readonly tokenFile: string | undefined;
  readonly cwd: string;
  /** That of this process. A child gets all of it but our own token and an outer session. */
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
  const all: SchemeOptions = { ...childOptions(options), open: openSocket, fetch: undiciFetch() };
  const schemes = [stdioScheme, execScheme, webSocketScheme, sseScheme];
  if (!IS_NETWORK.test(endpoint)) return connectTransport<SchemeOptions>(endpoint, schemes, all);
  const { hostname } = new URL(endpoint.replace(/^sse\+/, ''));
  const token = () => clientToken({ tokenFile, hostname, cwd, env });
  const present = await token();
  // A server that asks for none is not sent an empty one.
  const again = present === undefined ? undefined : async () => (await token()) ?? present;
  return connectTransport<SchemeOptions>(endpoint, schemes, {
    ...all,
    ...(again !== undefined && { token: again, credential: again }),
  });
}

const IS_NETWORK = /^(?:sse\+)?(?:https?|wss?):\/\//i;

/** Starts a program of a command line. */
export function startProgram(
  [command = '', ...args]: readonly string[],
  options: Pick<EndpointOptions, 'env' | 'onStderr'>,
): SpawnedAgent {
  return spawnAgent({ ...childOptions(options), command, args });
}

function childOptions({ env, onStderr }: Pick<EndpointOptions, 'env' | 'onStderr'>): ExecOptions {
  return { env: { ...inheritEnvironment({}, env), SJP_TOKEN: undefined }, onStderr };
}

/** Whether it is a program that this one starts. */
export function isProgram(endpoint: Endpoint): boolean {
  return typeof endpoint !== 'string' || endpoint.startsWith('exec:');
}

/** Whether it is this process's own stdin and stdout. */
export function isOwnStdio(endpoint: Endpoint): boolean {
  return endpoint === '-' || endpoint === 'stdio:';
}
