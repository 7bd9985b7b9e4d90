import { type Endpoint, isOwnStdio } from '@proto/remote/bridge';
import { isLoopback, parseSessionAddress } from '@proto/remote';
import { ownTokenFile } from '../token-file.ts';

/** The flags of `sjp bridge`. */
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

/** What the endpoints and flags mean. */
export interface BridgePlan {
  /** The side of the host: an endpoint, an address at which hosts connect, or a session whose worker the agent becomes. */
  readonly host: Endpoint | ListenPlan | WorkerPlan;
  readonly agent: Endpoint;
  readonly tokenFile: string | undefined;
}

/** Where clients connect. */
export interface ListenPlan {
  readonly kind: 'listen';
  readonly hostname: string;
  /** The port; 0 takes a free one. */
  readonly port: number;
  readonly maxSessions: number;
  /** The file with the token that clients need; undefined if clients need no token. */
  readonly tokenFile: string | undefined;
}

/** A session on a server, whose worker the agent becomes. */
export interface WorkerPlan {
  readonly kind: 'worker';
  readonly base: string;
  readonly hostname: string;
  readonly session: string;
  readonly program: readonly string[];
}

/** Where the command runs. */
export interface BridgePlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const DEFAULT_MAX_CLIENTS = 100;

/**
 * Reads the endpoints and the flags.
 *
 * @throws Error where they are not understood, or open a port to other machines without saying so.
 */
export function planBridge(
  given: readonly string[],
  program: readonly string[],
  options: BridgeOptions,
  place: BridgePlace,
): BridgePlan {
  const endpoints: Endpoint[] = program.length > 0 ? [...given, program] : [...given];
  const listens = options.listen !== undefined;
  // A host that has started this program speaks with it over stdin and stdout.
  if (endpoints.length === 1 && !listens) endpoints.unshift('-');
  if (endpoints.length !== (listens ? 1 : 2)) {
    throw new Error('give two endpoints, or one with --listen; the last may be a command after --');
  }
  const own = endpoints.filter((endpoint) => typeof endpoint === 'string' && isOwnStdio(endpoint)).length;
  if (own > (listens ? 0 : 1))
    throw new Error('- is stdin and stdout: only one side can be -, and no side with --listen');
  const agent = endpoints.at(-1) as Endpoint;
  if (isWorkerAddress(agent)) throw new Error(NO_PROGRAM);
  const host = listens ? listenPlan(options, place) : hostOf(endpoints[0] as Endpoint, program, options);
  return { host, agent, tokenFile: options.tokenFile };
}

const NO_PROGRAM = 'A is the address of a session with /worker at its end, and its worker a command after --';

function isWorkerAddress(endpoint: Endpoint): endpoint is string {
  return typeof endpoint === 'string' && /^sse\+.*\/worker\/?$/.test(endpoint);
}

function hostOf(endpoint: Endpoint, program: readonly string[], { tap }: BridgeOptions): Endpoint | WorkerPlan {
  if (!isWorkerAddress(endpoint)) return endpoint;
  const { session, ...server } = parseSessionAddress(endpoint.replace(/\/worker\/?$/, ''));
  if (session === undefined) throw new Error('the address before /worker names no session');
  if (program.length === 0) throw new Error(NO_PROGRAM);
  if (tap !== undefined) throw new Error('--tap is not for the worker of a session, whose server keeps what is said');
  return { kind: 'worker', ...server, session, program };
}

function listenPlan(options: BridgeOptions, { cwd, env }: BridgePlace): ListenPlan {
  const { listen = '', multi = false, maxClients, clientTokenFile, dangerouslyNoAuth = false } = options;
  const {
    protocol,
    hostname = '',
    port,
    pathname,
    username = '',
    password = '',
  } = URL.canParse(listen) ? new URL(listen) : {};
  // The messages do not quote the text, which may hold a secret.
  if (username !== '' || password !== '') throw new Error('a URL is no place for a secret: give --client-token-file');
  if (protocol !== 'ws:' || pathname !== '/') {
    throw new Error('--listen takes ws://HOST:PORT, such as ws://127.0.0.1:9000');
  }
  if (!isLoopback(hostname) && options.dangerouslyListenOnNetwork !== true) {
    throw new Error(`--listen ws://${hostname} is open to other machines: say so with --dangerously-listen-on-network`);
  }
  if (dangerouslyNoAuth && clientTokenFile !== undefined) {
    throw new Error('--client-token-file and --dangerously-no-auth exclude each other');
  }
  if (maxClients !== undefined && !multi) throw new Error('--max-clients needs --multi');
  const most = Number(maxClients ?? DEFAULT_MAX_CLIENTS);
  if (!Number.isSafeInteger(most) || most < 1) throw new Error(`--max-clients takes a number, not "${maxClients}"`);
  return {
    kind: 'listen',
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || 80),
    maxSessions: multi ? most : 1,
    tokenFile: dangerouslyNoAuth ? undefined : (clientTokenFile ?? ownTokenFile(cwd, env)),
  };
}
