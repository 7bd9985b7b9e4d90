import type { Transport } from '@proto/core/transport';

/** Two ends of a transport, connected or connecting. */
export interface TransportPair {
  /** The end under test. */
  readonly local: Transport;
  /** The other end: the same kind of transport, or `defineTransport` around a raw peer. */
  readonly remote: Transport;
  /** Releases resources other than the two ends, such as a server. Called after the case. */
  dispose?(): void | Promise<void>;
}

/** Controls for the connection attempts of a transport that reconnects, in addition to `cut`. */
export interface ReconnectControls<Pair> {
  /** Sets whether later attempts reach the other side. If they do not, they must fail with a retryable error. */
  reachable(pair: Pair, yes: boolean): void | Promise<void>;
  /** Causes the other side to permanently refuse later attempts, as for bad credentials, a superseded client or an unknown session. */
  refuse(pair: Pair): void | Promise<void>;
  /** Causes the other side to lose the messages that were sent while the connection was down, so that the next connection must report `resumed: false`. */
  forget?(pair: Pair): void | Promise<void>;
  /** Returns how often the functions that return the address, the headers or the token were called. */
  asked?(pair: Pair): number;
}

/** Controls for making a network connection silent. */
export interface SilenceControls<Pair> {
  /** Stops all traffic on the current connection in both directions, without closing the connection. */
  start(pair: Pair): void | Promise<void>;
  /** How long the transport may take to notice the silence, in milliseconds. Configure a short time for the suite. */
  readonly noticedWithinMs: number;
}

/** The description of a transport for `testTransport`. Cases that need an absent member are reported as skipped. */
export interface TransportUnderTest<Pair extends TransportPair = TransportPair> {
  /** The name of the transport, for the titles of the tests. */
  readonly name: string;
  /** Opens a new pair for one case. Do not wait for `opened`: the contract allows sending before `opened` fulfils. */
  open(): Pair | Promise<Pair>;
  /** Whether `end` notifies the other side that no more messages will follow. */
  readonly halfClose: boolean;
  /** Whether `send` stays pending while the other side does not read. Set low limits in `open`: the suite sends until a send stays pending. */
  readonly backPressure: boolean;
  /** Whether the session continues when one end closes, so that the other end stays open. Default false: both end together. */
  readonly sessionOutlives?: boolean;
  /** Whether a server between the ends accepts only valid messages. Default false: any line that is sent arrives. */
  readonly messagesOnly?: boolean;
  /** How long `close` may take while the other side reads nothing, in milliseconds. Omit this for a transport that waits forever. */
  readonly givesUpWithinMs?: number;
  /** Breaks the connection without closing it: permanently, or just the current connection if the transport reconnects. */
  cut?(pair: Pair): void | Promise<void>;
  /** Sends bytes to `local` that must be rejected during framing: a line that is too long, or an invalid frame. */
  inject?(pair: Pair): void | Promise<void>;
  /** Sends an event to `local` that must arrive as a `notice` item. For transports that have notices in addition to messages. */
  notify?(pair: Pair): void | Promise<void>;
  /** Opens a transport whose first connection is not established. */
  connecting?(): Transport | Promise<Transport>;
  /** Returns whether `local` has released all processes, sockets and timers. Called at the moment when `closed` fulfils. */
  released?(pair: Pair): boolean;
  /** Controls for a transport that reconnects. */
  readonly reconnect?: ReconnectControls<Pair>;
  /** Controls for a transport over a network. */
  readonly silence?: SilenceControls<Pair>;
}
