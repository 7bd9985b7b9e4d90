import type { Transport } from '@proto/core/transport';

/** Two ends of a transport, connected or connecting. */
export interface TransportPair {
  /** The end under test. */
  readonly local: Transport;
  /** The other end: the same kind of transport, or `defineTransport` around a raw peer. */
  readonly remote: Transport;
  /** Releases what the pair needs beside its two ends, such as a server. Called after the case. */
  dispose?(): void | Promise<void>;
}

/** How the suite controls the attempts of a transport that reconnects, beside `cut`. */
export interface ReconnectControls<Pair> {
  /** Sets whether later attempts reach the other side. Attempts that do not must be worth another attempt. */
  reachable(pair: Pair, yes: boolean): void | Promise<void>;
  /** Makes the other side refuse later attempts for good: bad credentials, superseded, unknown session. */
  refuse(pair: Pair): void | Promise<void>;
  /** Makes the other side forget what was sent while the link was down, so that the next link must say `resumed: false`. */
  forget?(pair: Pair): void | Promise<void>;
  /** How often the functions that give the address, the headers or the token were called. */
  asked?(pair: Pair): number;
}

/** How the suite makes a network link silent. */
export interface SilenceControls<Pair> {
  /** Makes the present link pass nothing in either direction, without closing it. */
  start(pair: Pair): void | Promise<void>;
  /** How long the transport may take to notice, in milliseconds. Configure a short time for the suite. */
  readonly noticedWithinMs: number;
}

/** A transport, as `testTransport` needs it. Cases for members that are left out are reported as skipped. */
export interface TransportUnderTest<Pair extends TransportPair = TransportPair> {
  readonly name: string;
  /** Opens a new pair for one case. Do not wait for `opened`: sending before it is part of the contract. */
  open(): Pair | Promise<Pair>;
  /** Whether `end` tells the other side that no more messages will come. */
  readonly halfClose: boolean;
  /** Whether `send` stays pending while the other side does not read. Set low limits in `open`: the suite sends until a send stays pending. */
  readonly backPressure: boolean;
  /** Whether the session goes on when one end leaves, so that the other end stays. Default false: both end together. */
  readonly sessionOutlives?: boolean;
  /** Whether a server between the ends takes valid messages only. Default false: any line that is sent arrives. */
  readonly messagesOnly?: boolean;
  /** How long `close` may take while the other side reads nothing, in milliseconds. Leave this out for a transport that waits for ever. */
  readonly givesUpWithinMs?: number;
  /** Breaks the link without closing it: for good, or one link of a transport that reconnects. */
  cut?(pair: Pair): void | Promise<void>;
  /** Sends something to `local` that framing must reject: an over-long line, a bad frame. */
  inject?(pair: Pair): void | Promise<void>;
  /** Sends news to `local` that must arrive as a `notice`. For transports with news beside the messages. */
  notify?(pair: Pair): void | Promise<void>;
  /** Opens a transport whose first link never comes up. */
  connecting?(): Transport | Promise<Transport>;
  /** Whether `local` has released all processes, sockets and timers. Called at the moment when `closed` fulfils. */
  released?(pair: Pair): boolean;
  /** Controls for a transport that reconnects. */
  readonly reconnect?: ReconnectControls<Pair>;
  /** Controls for a transport over a network. */
  readonly silence?: SilenceControls<Pair>;
}
