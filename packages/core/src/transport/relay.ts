import { TextBatch } from './lines/batch.ts';
import { callBack } from './async/callbacks.ts';
import { TransportError } from './error.ts';
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

/** One of the two sides of a relay, in the order of its arguments. */
export type RelaySide = 'a' | 'b';

/** What a relay tells, and asks, beside handing on. */
export interface RelayOptions {
  /** Is shown each message, with the side that said it, before the other side gets it. */
  readonly tap?: (from: RelaySide, message: IncomingMessage) => void;
  /** Whether a message may be lost without harm, for a target that makes a difference. Default: none. */
  readonly isEphemeral?: (from: RelaySide, message: IncomingMessage) => boolean;
  /** Is given what cannot be handed on, as it is no message: news of a link, news of a session, and what framing lost. */
  readonly onItem?: (from: RelaySide, item: IncomingLink | IncomingMalformed | IncomingNotice) => void;
  /** Is given what a side has refused, or did not live to take. */
  readonly onUndelivered?: (to: RelaySide, error: TransportError, batch: Batch) => void;
  /** What the other side is told, ahead of its own end, when a side has ended with an error. */
  readonly finalMessages?: (of: RelaySide, close: TransportClose) => Batch | undefined;
}

/** How the two sides of a relay ended, and which of them ended first. */
export interface RelayEnd {
  readonly first: RelaySide;
  readonly a: TransportClose;
  readonly b: TransportClose;
}

/**
 * Joins two transports: what one side says the other is told, in order and as it came, and is never parsed. A batch is taken when
 * the other side has taken charge of the one before, so that each side is as fast as the other reads. A half-close is passed on;
 * a side that is gone ends the other behind what it said. Fulfils when both are closed, and never rejects. To end it, close a side.
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

// Of these a transport recovers: only the batch is lost.
const OF_A_BATCH = ['rejected', 'too-large', 'malformed'];

/** What one side says to the other. */
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

  /** Hands on what the source says to its end, and then ends the target. */
  async run(): Promise<TransportClose> {
    const { source, target } = this.#route;
    const isClean = await this.#handOn();
    // Where there are last words it would be too early for the end.
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
      // `closed` tells it as well.
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
      // Within JSON a line end is white space. An event may have some, a line none.
      const text = item.text.includes('\n') ? item.text.replaceAll('\n', ' ') : item.text;
      let ephemeral = false;
      if (isEphemeral !== undefined) callBack(() => (ephemeral = isEphemeral(from, item)));
      batch.append(text, undefined, ephemeral);
      cursor = item.cursor ?? cursor;
    }
    return { batch, cursor };
  }

  /** Waits for the target, unless the source is gone: nobody has to be slowed down then, and all of it is for `close` to wait for. */
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
      const error = TransportError.from(thrown);
      callBack(() => this.#options.onUndelivered?.(to, error, batch));
      // Also one that does not notice by itself, such as a stream whose reader has left.
      if (!OF_A_BATCH.includes(error.code)) void target.close();
    }
  }

  #sayLast(close: TransportClose): void {
    let words: Batch | undefined;
    callBack(() => (words = this.#options.finalMessages?.(this.#route.from, close)));
    if (words !== undefined) void this.#send(words);
  }
}
