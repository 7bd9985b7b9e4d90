import type { Account } from '@proto/ingress';
import type { JwtAccountsOptions } from '@proto/ingress/operate';
import { durationOf, type LogLevel, parseListenAddress, parseRetention } from '@proto/terminal/process';
import { isLoopback } from '@proto/remote';
import type { RestartPolicy } from '@proto/remote/worker';

export interface ServeOptions {
  readonly listen: string;
  readonly store?: string;
  readonly tokenFile?: string;
  readonly allowedHost?: readonly string[];
  readonly allowedOrigin?: readonly string[];
  readonly retain?: string;
  readonly keepalive?: string;
  readonly restart?: string;
  readonly idleTimeout?: string;
  readonly passEnv?: readonly string[];
  readonly nodeUrl?: string;
  readonly nodeTtl?: string;
  readonly json?: boolean;
  readonly ui?: boolean;
  readonly logLevel?: LogLevel;
  readonly logFormat?: 'text' | 'json';
  readonly metricsTokenFile?: string;
  readonly notify?: string;
  readonly notifySecretFile?: string;
  readonly notifyAfter?: string;
  readonly notifyLink?: string;
  readonly jwks?: string;
  readonly jwtIssuer?: string;
  readonly jwtAudience?: string;
  readonly jwtAlgorithms?: readonly string[];
  readonly jwtRoleClaim?: string;
  readonly jwtRoles?: readonly string[];
  readonly dangerouslyNoAuth?: boolean;
  readonly dangerouslyListenOnNetwork?: boolean;
}

export type ServePlan = ReturnType<typeof planServe>;

type Role = Account['role'];

const LOCAL_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** Where sessions are stored: in memory, in `sessions.db` in the state folder (`own`), in the given file, or in a database. */
type Store = 'memory' | 'own' | { readonly file: string } | { readonly postgres: string };

function storeOf(store: string | undefined): Store {
  if (store === undefined) return 'own';
  if (/^postgres(ql)?:/.test(store)) return { postgres: databaseOf(store) };
  const file = store.replace(/^file:/, '');
  if (file === '') throw new Error('--store must be "memory", the name of a file, or postgres://USER@HOST/DATABASE');
  return store === 'memory' ? 'memory' : { file };
}

/** Error messages do not quote the address, because it may contain a password. */
function databaseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.pathname.length < 2)
    throw new Error('--store must be postgres://USER@HOST:PORT/DATABASE');
  if (url.password !== '' || url.searchParams.has('password')) {
    throw new Error(
      '--store must not contain a password, because other users could see it: set PGPASSWORD, or set PGPASSFILE to a file with the password',
    );
  }
  return text;
}

/** @throws {Error} if a flag is invalid, or if other machines could reach the server without the flag that allows this */
export function planServe(options: ServeOptions) {
  const { listen, store, tokenFile, allowedHost = [], allowedOrigin = [], dangerouslyNoAuth: isOpen = false } = options;
  const { passEnv = [] } = options;
  const address = parseListenAddress(listen);
  if (address === undefined) {
    // The message does not quote the text, because it may contain a secret.
    throw new Error('--listen must be HOST:PORT, such as 127.0.0.1:4983');
  }
  if (!isLoopback(address.hostname) && options.dangerouslyListenOnNetwork !== true) {
    throw new Error(`--listen ${listen} is open to other machines: add --dangerously-listen-on-network to allow this`);
  }
  if (isOpen && tokenFile !== undefined)
    throw new Error('--token-file and --dangerously-no-auth cannot be used together');
  const retention = options.retain === undefined ? {} : parseRetention(options.retain);
  if (retention === undefined) throw new Error(`--retain must be AGE/SIZE, such as 7d/1GiB, not "${options.retain}"`);
  const restart = parseRestart(options.restart ?? 'never');
  if (restart === undefined) throw new Error(`--restart must be "never" or on-failure:N, not "${options.restart}"`);
  const noName = passEnv.find((name) => !/^[^\s=*]+\*?$|^\*$/.test(name));
  if (noName !== undefined) {
    throw new Error(
      `--pass-env must be the name of a variable, such as GITHUB_TOKEN, or the beginning of names, such as MY_*, not "${noName}"`,
    );
  }
  return {
    ...address,
    store: storeOf(store),
    retention,
    tokenFile,
    metricsTokenFile: options.metricsTokenFile,
    notify: notifyOf(options),
    jwt: issuerOf(options),
    isOpen,
    // The given names are added to the names of this machine; they do not replace them.
    allowedHosts: [...LOCAL_NAMES, ...allowedHost],
    allowedOrigins: allowedOrigin,
    hasPage: options.ui === true,
    keepaliveMs: durationOf('--keepalive', options.keepalive),
    restart,
    idleTimeoutMs: durationOf('--idle-timeout', options.idleTimeout),
    passEnv,
    cluster: clusterOf(options),
  };
}

function notifyOf({ notify: url, notifySecretFile: secretFile, notifyAfter, notifyLink: link }: ServeOptions) {
  const afterMs = durationOf('--notify-after', notifyAfter);
  if (url !== undefined && secretFile !== undefined) return { url, secretFile, afterMs, link };
  if ([url, secretFile, afterMs, link].every((option) => option === undefined)) return undefined;
  throw new Error('to send webhooks, give --notify with an address and --notify-secret-file with a file');
}

/** In milliseconds. If claims expired sooner, a node would lose its sessions whenever its process stalled briefly. */
const MIN_TTL_MS = 1000;

function clusterOf({ nodeUrl, nodeTtl }: ServeOptions) {
  const ttlMs = durationOf('--node-ttl', nodeTtl);
  if (nodeUrl === undefined && ttlMs !== undefined) throw new Error('--node-ttl needs --node-url');
  if (nodeUrl === undefined) return undefined;
  if (ttlMs !== undefined && ttlMs < MIN_TTL_MS) throw new Error('--node-ttl must be at least 1s');
  const url = URL.canParse(nodeUrl) ? new URL(nodeUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    // The message does not quote the text, because it may contain a secret.
    throw new Error('--node-url must be http://HOST:PORT, the address at which other servers reach this server');
  }
  return { url: url.origin, ttlMs };
}

function issuerOf(options: ServeOptions): JwtAccountsOptions | undefined {
  const { jwks, jwtIssuer: issuer, jwtAudience: audience, jwtAlgorithms, jwtRoleClaim, jwtRoles, ...others } = options;
  const isAsked = [issuer, audience, jwtAlgorithms, jwtRoleClaim, jwtRoles].some((option) => option !== undefined);
  if (jwks === undefined && !isAsked) return undefined;
  if (jwks === undefined || issuer === undefined || audience === undefined) {
    throw new Error('to accept tokens from an issuer, give --jwks, --jwt-issuer and --jwt-audience');
  }
  if (others.dangerouslyNoAuth === true) throw new Error('--jwks and --dangerously-no-auth cannot be used together');
  return {
    jwks,
    issuer,
    audience,
    algorithms: jwtAlgorithms,
    roleClaim: jwtRoleClaim,
    roles: jwtRoles && rolesOf(jwtRoles),
  };
}

function rolesOf(pairs: readonly string[]): Readonly<Record<string, Role>> {
  const roles = pairs.map((pair): [string, Role] => {
    const [, text = '', role] = /^(.+)=(driver|approver|viewer)$/.exec(pair) ?? [];
    if (role === undefined) throw new Error(`--jwt-roles must be TEXT=ROLE, such as oncall=driver, not "${pair}"`);
    return [text, role as Role];
  });
  return Object.fromEntries(roles);
}

export function parseRestart(text: string): RestartPolicy | undefined {
  if (text === 'never') return { maxAttempts: 0 };
  const [, attempts] = /^on-failure:(\d{1,6})$/.exec(text) ?? [];
  return attempts === undefined ? undefined : { maxAttempts: Number(attempts) };
}
