import type { Transport } from '@proto/core/transport';

/** Two ends that are connected, or about to be. */
export interface TransportPair {
  /** The end under test. */
  readonly local: Transport;
  /** The other end: a transport of yours as well, or `defineTransport` around a raw peer. */
  readonly remote: Transport;
  /** Releases what the pair needs beside its two ends, such as a server. Called when the case is over. */
  dispose?(): void | Promise<void>;
}

/** What a transport that reconnects needs beside `cut`, so that the suite can arrange what its next attempts meet. */
export interface ReconnectControls<Pair> {
  /** Whether attempts from now on find anybody. Those that do not are worth another attempt. */
  reachable(pair: Pair, yes: boolean): void | Promise<void>;
  /** From now on every attempt is refused for good: bad credentials, superseded, unknown session. */
  refuse(pair: Pair): void | Promise<void>;
  /** The far end can no longer say what was sent while the link was down, so the next link must say `resumed: false`. */
  forget?(pair: Pair): void | Promise<void>;
  /** How often the functions that give the address, the headers or the token were called. */
  asked?(pair: Pair): number;
}

/** A network link may stop passing anything without saying so. */
export interface SilenceControls<Pair> {
  /** From now on the present link passes nothing, in either direction, and stays up. */
  start(pair: Pair): void | Promise<void>;
  /** How long the transport may take to notice. Configure it short for the suite. */
  readonly noticedWithinMs: number;
}

/** What `testTransport` is told about a transport. What is left out is reported as skipped. */
export interface TransportUnderTest<Pair extends TransportPair = TransportPair> {
  readonly name: string;
  /** Makes a fresh pair for one case. Do not wait for `opened`: what is sent before is part of the contract. */
  open(): Pair | Promise<Pair>;
  /** Whether `end` tells the other side that no more will come. */
  readonly halfClose: boolean;
  /** Whether `send` stays pending while the other side does not read. Set limits low in `open`: the suite sends until it does. */
  readonly backPressure: boolean;
  /** For ends of a session that goes on when one of them leaves: the other end stays. Default false: they end together. */
  readonly sessionOutlives?: boolean;
  /** For ends with a server between them that takes messages and nothing else. Default false: whatever is sent arrives. */
  readonly messagesOnly?: boolean;
  /** For a medium that does not wait for ever for its reader: how long `close` may take though the other side reads nothing. */
  readonly givesUpWithinMs?: number;
  /** Breaks the link without a goodbye: for good, or one link of a transport that reconnects. */
  cut?(pair: Pair): void | Promise<void>;
  /** Puts on the medium, towards `local`, something that framing must lose: an over-long line, a bad frame. */
  inject?(pair: Pair): void | Promise<void>;
  /** For a medium that has news beside the messages: has `local` told some, as a `notice`. */
  notify?(pair: Pair): void | Promise<void>;
  /** A transport whose first link stays under way for as long as nobody closes it. */
  connecting?(): Transport | Promise<Transport>;
  /** Whether everything `local` held is gone: processes, sockets, timers. Asked the moment `closed` fulfils. */
  released?(pair: Pair): boolean;
  /** For a transport that reconnects. */
  readonly reconnect?: ReconnectControls<Pair>;
  /** For a transport over a network. */
  readonly silence?: SilenceControls<Pair>;
}
