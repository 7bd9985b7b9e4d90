import { type Clock, systemClock } from '../async/deadline.ts';
import { defineTransport, type TransportOptions } from '../define-transport.ts';
import { TransportError } from '../error.ts';
import {
  DEFAULT_MAX_DOWN_MS,
  DEFAULT_MAX_OPENING_MS,
  type FirstAttempt,
  type RetryOptions,
} from '../reconnect/retry-loop.ts';
import type { ResumableTransport, RetainingTransport } from '../transport-extensions.ts';
import type { Cursor, Transport } from '../transport.ts';
import { parseAddress } from './address.ts';
import { FallbackDriver } from './fallback-driver.ts';

/** What a transport package exports so that programs can choose it by URI. */
export interface TransportScheme<Options = unknown> {
  /** With the colon, as in `URL.protocol`: `['ws:', 'wss:']`. */
  readonly protocols: readonly string[];
  /** Makes a transport; returns at once. */
  readonly connect: (uri: string, options: Options) => Transport;
}

/**
 * Makes the transport that a URI asks for, of those the program lists; `-` stands for `stdio:`. Throws a `TransportError` of
 * code `connect-failed` naming the protocols it knows when the URI asks for another one.
 */
export function connectTransport<Options>(
  uri: string,
  schemes: readonly TransportScheme<Options>[],
  options: Options,
): Transport {
  const protocol = uri === '-' ? 'stdio:' : (/^[a-z][a-z0-9+.-]*:/i.exec(uri)?.[0].toLowerCase() ?? '');
  const scheme = schemes.find(({ protocols }) => protocols.includes(protocol));
  if (scheme !== undefined) return scheme.connect(uri, options);
  const known = schemes.flatMap(({ protocols }) => protocols).join(', ');
  // Only the protocol is named: the rest of a URI may hold a token.
  throw new TransportError('connect-failed', `Unsupported protocol: ${protocol} (known: ${known})`, {
    retryable: false,
  });
}

/** How long one kind of link may be without a connection before the next one is tried: ten seconds. */
export const DEFAULT_FALLBACK_AFTER_MS = 10_000;

/** A scheme that knows where the sessions of a server are. */
export interface SessionScheme<Options = unknown> extends TransportScheme<Options> {
  /** What `prefer` calls it, such as `websocket`. */
  readonly name: string;
  /** The URI by which this scheme reaches a session, of its address: `https://HOST/v1/code/sessions/ID`. */
  sessionUri(address: URL): string;
}

/** Which session, by which kinds of links. */
export interface ConnectOptions<Options>
  extends Pick<TransportOptions, 'maxIncomingBytes'>,
    Pick<RetryOptions, 'maxOpeningMs' | 'maxDownMs'> {
  /** The address of the session: `https://HOST/v1/code/sessions/ID`. */
  readonly url: string | URL;
  /** Names of schemes, the one to begin with first: `['websocket', 'sse']`. */
  readonly prefer: readonly string[];
  readonly schemes: readonly SessionScheme<Options>[];
  /** For whichever scheme is used. */
  readonly options: Options;
  /** What an earlier process had acknowledged. */
  readonly cursor?: Cursor;
  /**
   * What follows where the very first attempt of each kind finds nobody. Default `end`; with `retry` attempts go on for `maxOpeningMs`. It is
   * handed on to the schemes, behind the first attempts as `retry`: what ends at once would be asked without a pause.
   */
  readonly firstAttempt?: FirstAttempt;
  /** How long a kind of link may be without a connection before the next kind is tried, in milliseconds. Default 10 000. */
  readonly fallbackAfterMs?: number;
  /** Default: the time of this machine. */
  readonly clock?: Clock;
}

/**
 * A session of a server, by the first kind of link that works: one that is refused for good, or does not come up in time, is given
 * up for the next one, in the middle of a session as well. What was not acknowledged is sent again under its ids, and reading goes on
 * behind what came, so that whoever uses the transport is only told that the link was down. Throws a `TransportError` of code
 * `connect-failed` for a name that no scheme has, and for an address that is no URL or has a user or a password in it.
 */
export function connect<Options>(options: ConnectOptions<Options>): ResumableTransport & RetainingTransport {
  const { url, prefer, schemes, clock = systemClock, cursor, firstAttempt = 'end' } = options;
  const address = parseAddress(url);
  const candidates = prefer.map((name) => {
    const scheme = schemes.find((one) => one.name === name);
    if (scheme === undefined) throw unknownName(name, schemes);
    return {
      open: (from: Cursor | undefined, first: FirstAttempt) =>
        scheme.connect(scheme.sessionUri(address), {
          ...options.options,
          firstAttempt: first,
          ...(from !== undefined && { cursor: from }),
        }),
    };
  });
  if (candidates.length === 0) throw unknownName('', schemes);
  const { fallbackAfterMs = DEFAULT_FALLBACK_AFTER_MS } = options;
  const { maxOpeningMs = DEFAULT_MAX_OPENING_MS, maxDownMs = DEFAULT_MAX_DOWN_MS } = options;
  const limits = { clock, cursor, firstAttempt, fallbackAfterMs, maxOpeningMs, maxDownMs };
  return defineTransport(prefer.join('/'), (control) => new FallbackDriver(control, candidates, limits), {
    ...options,
    identifies: true,
  });
}

function unknownName(name: string, schemes: readonly SessionScheme<never>[]): TransportError {
  const known = schemes.map((scheme) => scheme.name).join(', ');
  return new TransportError('connect-failed', `No scheme is called "${name}" (known: ${known})`, { retryable: false });
}
