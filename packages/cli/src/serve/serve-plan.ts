import { durationOf } from '@proto/terminal/process';
import { isLoopback } from '@proto/remote';
import type { RestartPolicy } from '@proto/worker';
import { type ListenAddress, parseListenAddress, parseRestart, parseRetention, type Retained } from './serve-flags.ts';

/** The flags of `sjp serve`. */
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
  readonly json?: boolean;
  readonly dangerouslyNoAuth?: boolean;
  readonly dangerouslyListenOnNetwork?: boolean;
}

/** What the flags mean. */
export interface ServePlan extends ListenAddress {
  /** Where sessions are kept: in memory, in the server's own file in the state folder, or in another one. */
  readonly store: 'memory' | 'own' | { readonly file: string };
  readonly retention: Retained;
  readonly tokenFile: string | undefined;
  readonly isOpen: boolean;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly keepaliveMs: number | undefined;
  readonly restart: RestartPolicy;
  readonly idleTimeoutMs: number | undefined;
  /** The variables that agents get beside `AGENT_VARIABLES`. */
  readonly passEnv: readonly string[];
}

const LOCAL_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

function storeOf(store: string | undefined): ServePlan['store'] {
  if (store === undefined) return 'own';
  const file = store.replace(/^file:/, '');
  if (file === '') throw new Error('--store takes memory or the name of a file');
  return store === 'memory' ? 'memory' : { file };
}

/** Reads the flags; throws where they mean nothing, or open more than they say. */
export function planServe(options: ServeOptions): ServePlan {
  const { listen, store, tokenFile, allowedHost = [], allowedOrigin = [], dangerouslyNoAuth: isOpen = false } = options;
  const { passEnv = [] } = options;
  const address = parseListenAddress(listen);
  if (address === undefined) {
    // Not quoted: what does not belong there may be a secret.
    throw new Error('--listen takes HOST:PORT, such as 127.0.0.1:4983');
  }
  if (!isLoopback(address.hostname) && options.dangerouslyListenOnNetwork !== true) {
    throw new Error(`--listen ${listen} is open to other machines: say so with --dangerously-listen-on-network`);
  }
  if (isOpen && tokenFile !== undefined) throw new Error('--token-file and --dangerously-no-auth exclude each other');
  const retention = options.retain === undefined ? {} : parseRetention(options.retain);
  if (retention === undefined) throw new Error(`--retain takes AGE/SIZE, such as 7d/1GiB, not "${options.retain}"`);
  const restart = parseRestart(options.restart ?? 'never');
  if (restart === undefined) throw new Error(`--restart takes never or on-failure:N, not "${options.restart}"`);
  const noName = passEnv.find((name) => !/^[^\s=*]+\*?$|^\*$/.test(name));
  if (noName !== undefined) {
    throw new Error(
      `--pass-env takes the name of a variable, such as GITHUB_TOKEN, or a beginning, such as MY_*, not "${noName}"`,
    );
  }
  return {
    ...address,
    store: storeOf(store),
    retention,
    tokenFile,
    isOpen,
    // A name more takes none away: this machine still is this machine.
    allowedHosts: [...LOCAL_NAMES, ...allowedHost],
    allowedOrigins: allowedOrigin,
    keepaliveMs: durationOf('--keepalive', options.keepalive),
    restart,
    idleTimeoutMs: durationOf('--idle-timeout', options.idleTimeout),
    passEnv,
  };
}
