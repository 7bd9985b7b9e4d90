import { type Clock, systemClock } from '../async/deadline.ts';
import { checkDurations } from '../async/timer.ts';
import { defineTransport, type TransportOptions } from '../define-transport.ts';
import { TransportError } from '../error.ts';
import {
  DEFAULT_RECONNECT_DEADLINE_MS,
  DEFAULT_CONNECT_DEADLINE_MS,
  type RetryOptions,
} from '../reconnect/retry-policy.ts';
import type { ResumableTransport, ReplayableTransport } from '../transport-extensions.ts';
import type { Cursor, Transport } from '../transport.ts';
import { parseAddress } from '../network/address.ts';
import { FallbackDriver } from './fallback-driver.ts';

/** A scheme, which a transport package exports so that programs can choose the transport by URI. */
export interface TransportScheme<Options = unknown> {
  /** The protocols that the scheme supports, with the colon as in `URL.protocol`: `['ws:', 'wss:']`. */
  readonly protocols: readonly string[];
  /** Creates a transport. Returns at once. */
  readonly connect: (uri: string, options: Options) => Transport;
}

/**
 * Creates a transport for a URI, using the listed scheme that supports its protocol. `-` means `stdio:`.
 *
 * @example
 * ```ts
 * import { connectUri } from '@proto/core/transport';
 * import { execScheme } from '@proto/transport-stdio';
 * import { webSocketScheme } from '@proto/transport-websocket';
 *
 * const transport = connectUri('exec:claude --verbose', [execScheme, webSocketScheme], {});
 * ```
 *
 * @throws {TransportError} `connect-failed` if no scheme supports the protocol. The message names the known protocols
 */
export function connectUri<Options>(
  uri: string,
  schemes: readonly TransportScheme<Options>[],
  options: Options,
): Transport {
  const protocol = uri === '-' ? 'stdio:' : (/^[a-z][a-z0-9+.-]*:/i.exec(uri)?.[0].toLowerCase() ?? '');
  const scheme = schemes.find(({ protocols }) => protocols.includes(protocol));
  if (scheme !== undefined) return scheme.connect(uri, options);
  const known = schemes.flatMap(({ protocols }) => protocols).join(', ');
  // Only the protocol is named, because the rest of a URI may contain a token.
  throw new TransportError('connect-failed', `Unsupported protocol: ${protocol} (known: ${known})`, {
    retryable: false,
  });
}

const DEFAULT_FALLBACK_AFTER_MS = 10_000;

/** A scheme that can derive its URI from the address of a session on a server. */
export interface SessionScheme<Options = unknown> extends TransportScheme<Options> {
  /** The name that `prefer` uses, such as `websocket`. */
  readonly name: string;
  /** Returns this scheme's URI for a session with the address `https://HOST/v1/code/sessions/ID`. */
  sessionUri(address: URL): string;
}

/** The options of `connectSession`: the session, and the kinds of links. */
export interface ConnectSessionOptions<Options>
  extends Pick<TransportOptions, 'maxIncomingBytes'>,
    Pick<RetryOptions, 'connectDeadlineMs' | 'reconnectDeadlineMs'> {
  /** The address of the session: `https://HOST/v1/code/sessions/ID`. */
  readonly url: string | URL;
  /** The names of schemes, in the order in which they are tried: `['websocket', 'sse']`. */
  readonly prefer: readonly string[];
  /** The kinds of links that the program can use. */
  readonly schemes: readonly SessionScheme<Options>[];
  /** The options for the scheme that is used. */
  readonly options: Options;
  /** The place up to which an earlier process had acknowledged messages. Default: the session is read from the same place as for a new client. */
  readonly cursor?: Cursor;
  /**
   * Whether attempts continue for `connectDeadlineMs` if the very first attempt of each kind reaches no server. This option is also passed to the
   * schemes. After their first attempts, the schemes receive `true`, because a scheme that ends at once would otherwise be tried without a pause.
   * Default false: the transport ends.
   */
  readonly retryFirstConnect?: boolean;
  /** How long a kind of link may be without a connection before the next kind is tried, in milliseconds. Default 10 000. */
  readonly fallbackAfterMs?: number;
  /** The clock and timers. Default: the clock and timers of this machine. */
  readonly clock?: Clock;
}

/**
 * Connects to a session on a server with the first kind of link that works. If a kind is refused permanently, or is not connected in time, the next
 * kind is used instead, even in the middle of a session. Unacknowledged messages are sent again with the same ids, and reading continues after the
 * last item, so that the reader notices only that the link was down.
 *
 * @throws {TransportError} `connect-failed` for a name that is not the name of a scheme, and for an address that is not `http:` or `https:`, or contains a user or
 * a password
 * @throws {RangeError} if a time is not a number of at least 0
 */
export function connectSession<Options>(
  options: ConnectSessionOptions<Options>,
): ResumableTransport & ReplayableTransport {
  const { url, prefer, schemes, clock = systemClock, cursor, retryFirstConnect = false } = options;
  checkDurations(options);
  const address = parseAddress(url, ['https:', 'http:']);
  const candidates = prefer.map((name) => {
    const scheme = schemes.find((one) => one.name === name);
    if (scheme === undefined) throw unknownName(name, schemes);
    return {
      open: (from: Cursor | undefined, retryFirst: boolean) =>
        scheme.connect(scheme.sessionUri(address), {
          ...options.options,
          retryFirstConnect: retryFirst,
          ...(from !== undefined && { cursor: from }),
        }),
    };
  });
  if (candidates.length === 0) throw unknownName('', schemes);
  const { fallbackAfterMs = DEFAULT_FALLBACK_AFTER_MS } = options;
  const { connectDeadlineMs = DEFAULT_CONNECT_DEADLINE_MS, reconnectDeadlineMs = DEFAULT_RECONNECT_DEADLINE_MS } =
    options;
  const limits = { clock, cursor, retryFirstConnect, fallbackAfterMs, connectDeadlineMs, reconnectDeadlineMs };
  return defineTransport(prefer.join('/'), (control) => new FallbackDriver(control, candidates, limits), {
    ...options,
    hasMessageIds: true,
  });
}

function unknownName(name: string, schemes: readonly SessionScheme<never>[]): TransportError {
  const known = schemes.map((scheme) => scheme.name).join(', ');
  return new TransportError('connect-failed', `unknown scheme "${name}" (known: ${known})`, { retryable: false });
}
