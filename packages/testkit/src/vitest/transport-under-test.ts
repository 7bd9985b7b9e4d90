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

/** How the suite controls the attempts of a transport that reconnects, in addition to `cut`. */
export interface ReconnectControls<Pair> {
  /** Sets whether later attempts reach the other side. If they do not, they must fail with a retryable error. */
  reachable(pair: Pair, yes: boolean): void | Promise<void>;
  /** Makes the other side refuse later attempts permanently: bad credentials, superseded, unknown session. */
  refuse(pair: Pair): void | Promise<void>;
  /** Makes the other side forget the messages that were sent while the link was down, so that the next link must report `resumed: false`. */
  forget?(pair: Pair): void | Promise<void>;
  /** Returns how often the functions that return the address, the headers or the token were called. */
  asked?(pair: Pair): number;
}

/** How the suite makes a network link silent. */
export interface SilenceControls<Pair> {
  /** Makes the current link pass nothing in either direction, without closing it. */
  start(pair: Pair): void | Promise<void>;
  /** How long the transport may take to notice, in milliseconds. Configure a short time for the suite. */
  readonly noticedWithinMs: number;
}

/** The description of a transport for `testTransport`. Cases for absent members are reported as skipped. */
export interface TransportUnderTest<Pair extends TransportPair = TransportPair> {
  /** The name of the transport, for the titles of the tests. */
  readonly name: string;
  /** Opens a new pair for one case. Do not wait for `opened`: sending before it is part of the contract. */
  open(): Pair | Promise<Pair>;
  /** Whether `end` notifies the other side that no more messages will come. */
  readonly halfClose: boolean;
  /** Whether `send` stays pending while the other side does not read. Set low limits in `open`: the suite sends until a send stays pending. */
  readonly backPressure: boolean;
  /** Whether the session continues when one end closes, so that the other end stays open. Default false: both end together. */
  readonly sessionOutlives?: boolean;
  /** Whether a server between the ends takes valid messages only. Default false: any line that is sent arrives. */
  readonly messagesOnly?: boolean;
  /** How long `close` may take while the other side reads nothing, in milliseconds. Omit it for a transport that waits for ever. */
  readonly givesUpWithinMs?: number;
  /** Breaks the link without closing it: permanently, or one link of a transport that reconnects. */
  cut?(pair: Pair): void | Promise<void>;
  /** Sends bytes to `local` that framing must reject: a line that is too long, or an invalid frame. */
  inject?(pair: Pair): void | Promise<void>;
  /** Sends an event to `local` that must arrive as a `notice` item. For transports that have notices in addition to messages. */
  notify?(pair: Pair): void | Promise<void>;
  /** Opens a transport whose first link does not open. */
  connecting?(): Transport | Promise<Transport>;
  /** Whether `local` has released all processes, sockets and timers. Called at the moment when `closed` fulfils. */
  released?(pair: Pair): boolean;
  /** Controls for a transport that reconnects. */
  readonly reconnect?: ReconnectControls<Pair>;
  /** Controls for a transport over a network. */
  readonly silence?: SilenceControls<Pair>;
}
