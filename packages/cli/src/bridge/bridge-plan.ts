import { type Endpoint, type HostAddress, isOwnStdio, type RunBridgeOptions } from '@proto/remote/bridge';
import { isLoopback } from '@proto/remote';
import { ownTokenFile, type Place } from '../token-file.ts';

export interface BridgeOptions {
  readonly listen?: string;
  readonly multi?: boolean;
  readonly maxClients?: string;
  readonly clientTokenFile?: string;
  readonly dangerouslyNoAuth?: boolean;
  readonly dangerouslyListenOnNetwork?: boolean;
  readonly tokenFile?: string;
  readonly tap?: string;
  readonly json?: boolean;
}

export type BridgeSides = Pick<RunBridgeOptions, 'agent'> & { readonly host: Endpoint | HostAddress };

const DEFAULT_MAX_CLIENTS = 100;

/** @throws {Error} if an endpoint or a flag is invalid, or if other machines could reach a port without the flag that allows this */
export function planBridge(
  given: readonly string[],
  program: readonly string[],
  options: BridgeOptions,
  place: Place,
): BridgeSides {
  const endpoints: Endpoint[] = program.length > 0 ? [...given, program] : [...given];
  const listens = options.listen !== undefined;
  // If only one endpoint is given, the other endpoint is the host that started this program, over stdin and stdout.
  if (endpoints.length === 1 && !listens) endpoints.unshift('-');
  if (endpoints.length !== (listens ? 1 : 2)) {
    throw new Error('give two endpoints, or one endpoint with --listen; the last endpoint may be a command after --');
  }
  const own = endpoints.filter((endpoint) => typeof endpoint === 'string' && isOwnStdio(endpoint)).length;
  if (own > (listens ? 0 : 1))
    throw new Error('only one side can be "-", which means stdin and stdout; with --listen, no side can be "-"');
  return {
    host: listens ? hostAddress(options, place) : (endpoints[0] as Endpoint),
    agent: endpoints.at(-1) as Endpoint,
  };
}

function hostAddress(options: BridgeOptions, place: Place): HostAddress {
  const { listen = '', multi = false, maxClients, clientTokenFile, dangerouslyNoAuth = false } = options;
  const {
    protocol,
    hostname = '',
    port,
    pathname,
    username = '',
    password = '',
  } = URL.canParse(listen) ? new URL(listen) : {};
  // The messages do not quote the text, because it may contain a secret.
  if (username !== '' || password !== '') throw new Error('do not put a secret in a URL: give --client-token-file');
  if (protocol !== 'ws:' || pathname !== '/') {
    throw new Error('--listen must be ws://HOST:PORT, such as ws://127.0.0.1:9000');
  }
  if (!isLoopback(hostname) && options.dangerouslyListenOnNetwork !== true) {
    throw new Error(
      `--listen ws://${hostname} is open to other machines: add --dangerously-listen-on-network to allow this`,
    );
  }
  if (dangerouslyNoAuth && clientTokenFile !== undefined) {
    throw new Error('--client-token-file and --dangerously-no-auth cannot be used together');
  }
  if (maxClients !== undefined && !multi) throw new Error('--max-clients needs --multi');
  const most = Number(maxClients ?? DEFAULT_MAX_CLIENTS);
  if (!Number.isSafeInteger(most) || most < 1) throw new Error(`--max-clients must be a number, not "${maxClients}"`);
  return {
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || 80),
    maxHosts: multi ? most : 1,
    tokenFile: dangerouslyNoAuth ? undefined : (clientTokenFile ?? ownTokenFile(place)),
  };
}
