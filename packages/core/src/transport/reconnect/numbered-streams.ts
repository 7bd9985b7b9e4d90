import { TransportError } from '../error.ts';
import type { Resumption } from '../transport-extensions.ts';
import type { Cursor } from '../transport.ts';
import { numberedCursor, type NumberedPlace, parseNumberedCursor } from '../network/numbered-cursor.ts';

/**
 * The first data that each side sends on a new link. A greeting says which messages the sender has received, and which messages it will send. A
 * greeting from the peer is unchecked.
 */
export interface StreamGreeting {
  /** The sender has received everything up to this number of the stream or log `of`. */
  readonly ack: number;
  /** The name of the stream or log that `ack` refers to. Absent if the stream or log has no name, or if nothing was received. */
  readonly of?: string | undefined;
  /** The name of the stream that the sender sends. A log that outlives its readers has no stream name. */
  readonly stream?: string | undefined;
  /** The first number that the sender can send. */
  readonly from: number;
  /** The name of a log. If a log is restored to an earlier state, its name must change. */
  readonly log?: string | undefined;
  /** Whether messages before `from` are missing. Default false. */
  readonly gap?: boolean | undefined;
}

/**
 * The two streams of numbered messages of a session, one in each direction. The streams outlive every link, so a number means the same message on the
 * next link. A stream has a random name, so that the peer does not mistake a new process for an earlier process.
 */
export interface NumberedStreams {
  /** The reader's progress in the peer's stream: the extension `resumption` of a transport. */
  readonly resumption: Resumption;
  /** The name of the stream that this side sends. */
  readonly ownName: string;
  /** The number of this side's last message, once its output has ended. The driver sets this number in `end`, and sends it on each link. */
  ownEnd: number | undefined;
  /** The number of the last message received, which is the number to acknowledge. */
  readonly received: number;
  /** Whether all messages from the peer have arrived, up to the end that the peer has announced. */
  readonly isPeerDone: boolean;
  /** Creates this side's greeting. `from` is the first number that this side can send, which is the last acknowledged number plus 1. */
  greeting(from: number): StreamGreeting;
  /**
   * Continues with the stream that the peer's greeting names. Returns whether it is certain that no message is missing. This is the value for the
   * member `resumed` of a `link` item. The number `ack` of a greeting counts only if `of` is `ownName`. Otherwise, the number refers to the stream of
   * an earlier process.
   *
   * @param isFresh Whether nothing was received before, so that any stream can be accepted.
   * @throws {TransportError} `malformed` if a number is not an integer of at least 0, or a name is not a string
   */
  onGreeting(greeting: StreamGreeting, isFresh: boolean): boolean;
  /** Returns whether a message from the peer has not arrived before, and counts the message as received. */
  isNew(id: number): boolean;
  /** Call this when the peer has announced that it sends no message above this number. */
  onPeerEnd(last: number): void;
  /** Returns the place of a message from the peer, for use with `incomingMessage`. A message without a number has no place. */
  placeOf(id: number | undefined): { readonly cursor?: Cursor };
}

/**
 * Creates the two streams of a session.
 *
 * @param cursor The position up to which an earlier process had acknowledged messages: the cursor of its `resumption`. Default: the beginning.
 */
export function createNumberedStreams(cursor?: Cursor): NumberedStreams {
  return new Streams(cursor);
}

class Streams implements NumberedStreams {
  readonly resumption: DealtWith;
  readonly ownName: string = newStreamName();
  ownEnd: number | undefined;
  received: number;
  /** The name of the peer's stream or log. Undefined for a log that does not send its name, and before the first greeting. */
  #peerName: string | undefined;
  #peerEnd: number | undefined;

  constructor(cursor: Cursor | undefined) {
    this.resumption = new DealtWith(cursor);
    [this.received, this.#peerName] = parseNumberedCursor(cursor);
  }

  get isPeerDone(): boolean {
    return this.#peerEnd !== undefined && this.received >= this.#peerEnd;
  }

  greeting(from: number): StreamGreeting {
    return { ack: this.received, of: this.#peerName, stream: this.ownName, from };
  }

  onPeerEnd(last: number): void {
    this.#peerEnd = last;
  }

  onGreeting(greeting: StreamGreeting, isFresh: boolean): boolean {
    const { ack, of, stream, log, from, gap = false } = greeting;
    if (![ack, from].every(isCount) || ![of, stream, log].every(isName))
      throw new TransportError('malformed', 'the greeting of the peer cannot be read');
    // A log with another name has been restored. Its greeting states up to which number the two logs contain the same events.
    const isSame = log !== undefined || stream === this.#peerName || isFresh;
    const name = stream ?? log;
    const resumed = isSame && from <= this.received + 1 && !gap;
    if (!isSame) {
      this.received = 0;
      this.#peerEnd = undefined;
    } else if (gap && from <= this.received) {
      // A log that has lost events assigns their numbers to new events.
      this.received = Math.max(0, from - 1);
      this.resumption.rewind(this.received, name);
    }
    this.#peerName = name;
    return resumed;
  }

  isNew(id: number): boolean {
    if (id <= this.received) return false;
    this.received = id;
    return true;
  }

  placeOf(id: number | undefined): { readonly cursor?: Cursor } {
    return id === undefined ? {} : { cursor: numberedCursor(id, this.#peerName) };
  }
}

class DealtWith implements Resumption {
  cursor: Cursor | undefined;
  // The parsed cursor. Each message is acknowledged, and parsing both cursors took a sixth of the time that it takes to receive a message.
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

  /** The peer's log no longer contains messages above this number. */
  rewind(id: number, log: string | undefined): void {
    if (this.#place[0] <= id) return;
    this.cursor = id === 0 ? undefined : numberedCursor(id, log);
    this.#place = [id, log];
  }
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isName(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

/** No other process has the same name, so that a new process is not mistaken for an earlier process. */
function newStreamName(): string {
  // Pages that were loaded without TLS have no `randomUUID`.
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
