import type { Line } from '../../framing/line-decoder.ts';
import { parseLine } from '../../framing/json-line.ts';
import { TransportError } from '../error.ts';
import type { Cursor, Incoming, IncomingMessage, ReadResult } from '../transport.ts';

class LineMessage implements IncomingMessage {
  readonly kind = 'message';
  readonly text: string;
  readonly #id: string | undefined;
  #result: ReadResult | undefined;

  constructor(text: string, id?: string) {
    this.text = text;
    this.#id = id;
  }

  get id(): string | undefined {
    if (this.#id !== undefined) return this.#id;
    const uuid = this.read().message?.['uuid'];
    return typeof uuid === 'string' ? uuid : undefined;
  }

  read(): ReadResult {
    return (this.#result ??= this.#parse());
  }

  #parse(): ReadResult {
    const parsed = parseLine(this.text);
    if (parsed.message !== undefined) return parsed;
    const reason = parsed.malformed;
    return { error: new TransportError('malformed', `a line is not a message: ${reason}`), reason };
  }
}

/** The details of a message that a medium knows in addition to its text. */
export interface IncomingPlace {
  readonly id?: string | undefined;
  readonly cursor?: Cursor;
  readonly source?: string;
}

/** Creates the item that a driver reports for a received line. The text is parsed when the item is read. */
export function incomingMessage(text: string, place?: IncomingPlace): IncomingMessage {
  if (place === undefined) return new LineMessage(text);
  const { id, ...rest } = place;
  return Object.assign(new LineMessage(text, id), rest);
}

/** Creates the items that a driver reports for decoded lines. A line that was too long is replaced by a `malformed` item. */
export function incomingLines(lines: readonly Line[]): readonly Incoming[] {
  return lines.map((line): Incoming => {
    if (typeof line === 'string') return new LineMessage(line);
    const { bytes, limit, head } = line;
    const text = `a line has ${bytes} bytes, but the limit is ${limit}: raise maxLineBytes`;
    return { kind: 'malformed', error: new TransportError('too-large', text), excerpt: head };
  });
}

/** Returns the items of a transport one by one, for callers without a session. Leaving the loop also ends the iteration of the transport. */
export function flattenIncoming(
  incoming: AsyncIterable<readonly Incoming[]>,
): AsyncIterableIterator<Incoming, undefined> {
  return new Each(incoming[Symbol.asyncIterator]());
}

/**
 * Iterates over single items. This is not a generator, because a generator takes three times as long for each item that has already arrived
 * (measured).
 */
class Each implements AsyncIterableIterator<Incoming, undefined> {
  readonly #source: AsyncIterator<readonly Incoming[]>;
  #items: readonly Incoming[] = [];
  #at = 0;
  // The number of calls that are waiting for the source, one after another.
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(source: AsyncIterator<readonly Incoming[]>) {
    this.#source = source;
  }

  next(): Promise<IteratorResult<Incoming, undefined>> {
    const item = this.#waiting === 0 ? this.#items[this.#at] : undefined;
    if (item === undefined) return this.#wait();
    this.#at++;
    return Promise.resolve({ done: false, value: item });
  }

  async return(): Promise<IteratorResult<Incoming, undefined>> {
    this.#items = [];
    await this.#source.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #wait(): Promise<IteratorResult<Incoming, undefined>> {
    this.#waiting++;
    const taken = this.#last.then(() => this.#take()).finally(() => this.#waiting--);
    this.#last = taken.catch(() => {});
    return taken;
  }

  async #take(): Promise<IteratorResult<Incoming, undefined>> {
    for (;;) {
      const item = this.#items[this.#at++];
      if (item !== undefined) return { done: false, value: item };
      const { done, value } = await this.#source.next();
      if (done === true) return { done, value: undefined };
      this.#items = value;
      this.#at = 0;
    }
  }
}
