import { TransportError } from '../error.ts';
import type { Resumption } from '../transport-extensions.ts';
import type { Cursor } from '../transport.ts';
import { numberedCursor, type NumberedPlace, parseNumberedCursor } from '../network/numbered-cursor.ts';

/** What each side says first on each new link: how far it has received, and what it sends. A greeting from the peer is unchecked. */
export interface StreamGreeting {
  /** The sender has received everything up to this number of the stream or log `of`. */
  readonly ack: number;
  /** The name of the stream or log that `ack` is a number of; absent if it has no name, or if nothing was received. */
  readonly of?: string | undefined;
  /** The name of the stream that the sender sends. A log that outlives its readers has none. */
  readonly stream?: string | undefined;
  /** The first number that the sender can send. */
  readonly from: number;
  /** The name of a log. A log that is restored to an earlier state gets another name. */
  readonly log?: string | undefined;
  /** Whether messages before `from` are missing. Default false. */
  readonly gap?: boolean | undefined;
}

/**
 * The two streams of numbered messages of a session, one each way. They outlive every link: a number means the same message on the next link.
 * A stream has a random name, so that the peer does not take a new process for the one before.
 */
export interface NumberedStreams {
  /** How far the reader has dealt with the stream of the peer: the extension `resumption` of a transport. */
  readonly resumption: Resumption;
  /** The name of the stream that this side sends. */
  readonly ownName: string;
  /** The number of the last message of this side, once its output has ended. The driver sets it in `end`, and sends it on each link. */
  ownEnd: number | undefined;
  /** The number of the last message received: what to acknowledge. */
  readonly received: number;
  /** Whether all messages of the peer have arrived, up to the end that it has sent. */
  readonly isPeerDone: boolean;
  /** Creates the greeting of this side. `from` is the first number that it can send: one above what is acknowledged. */
  greeting(from: number): StreamGreeting;
  /**
   * Goes on with the stream that the peer greets with. Returns whether no message can be missing: the member `resumed` of a `link` item. The number
   * `ack` of a greeting counts only if `of` is `ownName`: otherwise it is about a stream of an earlier process.
   *
   * @param isFresh Whether nothing was received before, so that any stream is the right one.
   * @throws {TransportError} of code `malformed` for a number that is not a whole number from 0 on, or a name that is not a text
   */
  onGreeting(greeting: StreamGreeting, isFresh: boolean): boolean;
  /** Whether a message of the peer has not arrived before. Counts the message as received. */
  isNew(id: number): boolean;
  /** The peer sends no message above this number. */
  onPeerEnd(last: number): void;
  /** The place of a message of the peer, for `incomingMessage`. A message without a number has no place. */
  placeOf(id: number | undefined): { readonly cursor?: Cursor };
}

/**
 * Creates the two streams of a session.
 *
 * @param cursor What an earlier process has acknowledged: the cursor of its `resumption`. Default: the beginning.
 */
export function createNumberedStreams(cursor?: Cursor): NumberedStreams {
  return new Streams(cursor);
}

class Streams implements NumberedStreams {
  readonly resumption: DealtWith;
  readonly ownName: string = newStreamName();
  ownEnd: number | undefined;
  received: number;
  /** The name of the stream or log of the peer; undefined for a log that does not say its name, and before the first greeting. */
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
    // A log under another name is a restored log. Its greeting says up to which number the two logs have the same events.
    const isSame = log !== undefined || stream === this.#peerName || isFresh;
    const name = stream ?? log;
    const resumed = isSame && from <= this.received + 1 && !gap;
    if (!isSame) {
      this.received = 0;
      this.#peerEnd = undefined;
    } else if (gap && from <= this.received) {
      // A log that has lost events gives their numbers to new events.
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

  /** Moves the cursor back, because the log of the peer has no message above this number any more. */
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

/** Creates a name that no other process has, so that a new process is not taken for an earlier one. */
function newStreamName(): string {
  // Pages that were loaded without TLS have no `randomUUID`.
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
