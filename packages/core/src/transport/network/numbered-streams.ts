import {
  KEEP_ALIVE,
  numberedCursor,
  type NumberedPlace,
  parseNumberedCursor,
  type Resumption,
} from '@proto/core/internal';
import type { Cursor } from '@proto/core/transport';
import type { AckFrame } from './numbered-lines.ts';

/**
 * The two streams of numbered messages that a resumable connection carries, one each way. They outlive every link: a number means the
 * same message on the next link.
 */
export class NumberedStreams {
  /** How far the reader has dealt with the stream of the other side. */
  readonly dealtWith: DealtWith;
  /** The name of the stream that this side sends. */
  readonly ownName: string = newStreamName();
  /** The number of the last message of this side, once its output has ended. */
  ownEnd: number | undefined;
  /** The name of the stream or log of the other side; undefined for a log that does not say its name, and before the first greeting. */
  peerName: string | undefined;
  /** The number of the last message received. */
  received: number;
  #peerEnd: number | undefined;

  constructor(cursor: Cursor | undefined) {
    this.dealtWith = new DealtWith(cursor);
    [this.received, this.peerName] = parseNumberedCursor(cursor);
  }

  /** Whether everything of the other side has come, up to the end it told. */
  get isPeerDone(): boolean {
    return this.#peerEnd !== undefined && this.received >= this.#peerEnd;
  }

  /** The greeting of this side, as JSON. `from` is the first number that it can send. */
  greeting(from: number): string {
    // JSON leaves out a name that is not known. A server that only repeats the name of the subprotocol takes this line for a sign of life.
    return JSON.stringify({ ack: this.received, of: this.peerName, stream: this.ownName, from, type: KEEP_ALIVE });
  }

  onPeerEnd(last: number): void {
    this.#peerEnd = last;
  }

  /**
   * Goes on with the stream that the other side greets with. `isFresh`: nothing came in before, so that any stream is the right one.
   * Returns whether no message can be missing.
   */
  onGreeting({ stream, log, from, gap }: AckFrame, isFresh: boolean): boolean {
    // A log under another name is a restored one: it says itself up to where the two have the same events.
    const isSame = log !== undefined || stream === this.peerName || isFresh;
    const name = stream ?? log;
    const resumed = isSame && from <= this.received + 1 && !gap;
    if (!isSame) {
      this.received = 0;
      this.#peerEnd = undefined;
    } else if (gap && from <= this.received) {
      // A log that has lost events gives their numbers to new events.
      this.received = Math.max(0, from - 1);
      this.dealtWith.rewind(this.received, name);
    }
    this.peerName = name;
    return resumed;
  }

  /** The place of a message of the other side; a message without a number has no place. */
  placeOf(id: number | undefined): { readonly cursor?: Cursor } {
    return id === undefined ? {} : { cursor: numberedCursor(id, this.peerName) };
  }
}

/** How far the reader has dealt with the stream of the other side. */
class DealtWith implements Resumption {
  cursor: Cursor | undefined;
  // The cursor, parsed: each message is acknowledged, and to parse both cursors took a sixth of the time it takes to receive a message.
  #place: NumberedPlace;

  constructor(cursor: Cursor | undefined) {
    this.cursor = cursor;
    this.#place = parseNumberedCursor(cursor);
  }

  acknowledge(cursor: Cursor): void {
    const place = parseNumberedCursor(cursor);
    if (place[1] === this.#place[1] && place[0] <= this.#place[0]) return;
    this.cursor = cursor;
    this.#place = place;
  }

  /** The other side, whose log may have a name, has no message above this number any more. */
  rewind(id: number, log: string | undefined): void {
    if (this.#place[0] <= id) return;
    this.cursor = id === 0 ? undefined : numberedCursor(id, log);
    this.#place = [id, log];
  }
}

/** Two processes never choose the same name, so that a new process is not taken for the one before. */
function newStreamName(): string {
  // `randomUUID` is missing in pages that came without TLS.
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
