import { TextBatch } from './lines/batch.ts';
import { callBack } from './async/callbacks.ts';
import { TransportError, toTransportError } from './error.ts';
import { isResumable } from './transport-extensions.ts';
import type {
  Batch,
  Cursor,
  Incoming,
  IncomingLink,
  IncomingMalformed,
  IncomingMessage,
  IncomingNotice,
  Transport,
  TransportClose,
} from './transport.ts';

/** A side of a relay: `a` is the first argument of `relay`, and `b` is the second argument. */
export type RelaySide = 'a' | 'b';

/** The callbacks of a relay. */
export interface RelayOptions {
  /** Called with each message, and the side that sent it, before the message is passed to the other side. */
  readonly tap?: (from: RelaySide, message: IncomingMessage) => void;
  /** Returns `true` for a message that may be lost without harm. Default: no message may be lost. */
  readonly isEphemeral?: (from: RelaySide, message: IncomingMessage) => boolean;
  /** Called with each item that cannot be forwarded because it is not a message: a change of a link, a notice from a server, or a malformed line. */
  readonly onItem?: (from: RelaySide, item: IncomingLink | IncomingMalformed | IncomingNotice) => void;
  /** Called with messages that a side has refused, or had not accepted when it ended. */
  readonly onUndelivered?: (to: RelaySide, error: TransportError, batch: Batch) => void;
  /** Called when a side has ended with an error. Returns a final batch to send to the other side before it ends. */
  readonly finalMessages?: (of: RelaySide, close: TransportClose) => Batch | undefined;
}

/** How the two sides of a relay ended, and which side ended first. */
export interface RelayEnd {
  /** The side that ended first. */
  readonly first: RelaySide;
  /** How the first transport ended. */
  readonly a: TransportClose;
  /** How the second transport ended. */
  readonly b: TransportClose;
}

/**
 * Connects two transports, so that each side receives the messages of the other side, in order and unchanged. Messages are never parsed. A batch is
 * read when the other side has accepted the previous batch, so that a slow reader slows down the other side. A half-close is passed on. When one side
 * has ended, the other side ends after it has received all messages. Fulfils when both sides are closed, and never rejects. To end a relay, close one
 * side.
 */
export async function relay(a: Transport, b: Transport, options: RelayOptions = {}): Promise<RelayEnd> {
  let first: RelaySide | undefined;
  void a.closed.then(() => (first ??= 'a'));
  void b.closed.then(() => (first ??= 'b'));
  const [endOfA, endOfB] = await Promise.all([
    new Direction({ from: 'a', to: 'b', source: a, target: b }, options).run(),
    new Direction({ from: 'b', to: 'a', source: b, target: a }, options).run(),
  ]);
  return { first: first as RelaySide, a: endOfA, b: endOfB };
}

interface Route {
  readonly from: RelaySide;
  readonly to: RelaySide;
  readonly source: Transport;
  readonly target: Transport;
}

// After these errors a transport continues: only the batch is lost.
const OF_A_BATCH = ['rejected', 'too-large', 'malformed'];

class Direction {
  readonly #route: Route;
  readonly #options: RelayOptions;
  #isGone = false;
  #goOn: () => void = () => {};

  constructor(route: Route, options: RelayOptions) {
    this.#route = route;
    this.#options = options;
    void route.source.closed.then(() => {
      this.#isGone = true;
      this.#goOn();
    });
  }

  /** Passes on all messages of the source, and then ends the target. */
  async run(): Promise<TransportClose> {
    const { source, target } = this.#route;
    const isClean = await this.#handOn();
    // A final batch must be sent before the end.
    if (isClean) target.end().catch(() => {});
    const close = await source.closed;
    if (close.error !== undefined) this.#sayLast(close);
    void target.close();
    return close;
  }

  async #handOn(): Promise<boolean> {
    const { source } = this.#route;
    try {
      for await (const items of source.incoming) {
        const { batch, cursor } = this.#batchOf(items);
        if (batch.count > 0) await this.#taken(this.#send(batch));
        if (cursor !== undefined && isResumable(source)) source.resumption.acknowledge(cursor);
      }
      return true;
    } catch {
      // `closed` also reports the error.
      return false;
    }
  }

  #batchOf(items: readonly Incoming[]): { batch: TextBatch; cursor: Cursor | undefined } {
    const { from } = this.#route;
    const { tap, onItem, isEphemeral } = this.#options;
    const batch = new TextBatch();
    let cursor: Cursor | undefined;
    for (const item of items) {
      if (item.kind !== 'message') {
        if (onItem !== undefined) callBack(() => onItem(from, item));
        if (item.kind === 'notice') cursor = item.cursor ?? cursor;
        continue;
      }
      if (tap !== undefined) callBack(() => tap(from, item));
      // Inside JSON, a line end is white space. An event may contain line ends, but a line may not.
      const text = item.text.includes('\n') ? item.text.replaceAll('\n', ' ') : item.text;
      let ephemeral = false;
      if (isEphemeral !== undefined) callBack(() => (ephemeral = isEphemeral(from, item)));
      batch.append(text, undefined, ephemeral);
      cursor = item.cursor ?? cursor;
    }
    return { batch, cursor };
  }

  /** If the source has ended, it need not be slowed down, and `close` waits for all batches. */
  #taken(sent: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      this.#goOn = resolve;
      if (this.#isGone) resolve();
      else void sent.then(resolve);
    });
  }

  async #send(batch: Batch): Promise<void> {
    const { to, target } = this.#route;
    try {
      await target.send(batch);
    } catch (thrown) {
      const error = toTransportError(thrown);
      callBack(() => this.#options.onUndelivered?.(to, error, batch));
      // This also closes a target that does not notice its end by itself, such as a stream whose reader has left.
      if (!OF_A_BATCH.includes(error.code)) void target.close();
    }
  }

  #sayLast(close: TransportClose): void {
    let words: Batch | undefined;
    callBack(() => (words = this.#options.finalMessages?.(this.#route.from, close)));
    if (words !== undefined) void this.#send(words);
  }
}
