import type { Incoming, IncomingLink, IncomingMessage, Transport } from '@proto/core/transport';
import { within } from './within.ts';

/**
 * Reads a transport step by step, and keeps all items. A reader requests the first items when it is created, so only the cases of point 1 depend
 * on items that arrive before anything is read.
 */
export class Reader {
  readonly items: Incoming[] = [];
  readonly #iterator: AsyncIterator<readonly Incoming[]>;
  readonly #patienceMs: number;
  #next: Promise<IteratorResult<readonly Incoming[]>> | undefined;

  constructor(transport: Transport, patienceMs: number) {
    this.#iterator = transport.incoming[Symbol.asyncIterator]();
    this.#patienceMs = patienceMs;
    this.#ask().catch(() => {});
  }

  get messages(): IncomingMessage[] {
    return this.items.filter((item) => item.kind === 'message');
  }

  get links(): IncomingLink[] {
    return this.items.filter((item) => item.kind === 'link');
  }

  /** The numbers of the messages that have arrived so far, in the order of arrival. */
  get numbers(): unknown[] {
    return this.messages.map((message) => message.read().message?.['n']);
  }

  async take(count: number): Promise<readonly IncomingMessage[]> {
    await this.until(() => this.messages.length >= count, `${count} messages arrive`);
    return this.messages;
  }

  /** Rejects if the stream ends first. */
  async until(holds: () => boolean, what: string): Promise<void> {
    while (!holds()) {
      const more = await this.#pull(what);
      if (!more) throw new Error(`${what}: the stream ended first, after ${this.items.length} items`);
    }
  }

  /** Rejects with the error that `incoming` throws. */
  async rest(): Promise<void> {
    while (await this.#pull('incoming ends'));
  }

  /** Returns the result of a further call of `next`. */
  async end(): Promise<IteratorResult<readonly Incoming[]>> {
    return within(this.#patienceMs, this.#iterator.next(), 'next settles');
  }

  /** The current call of `next`, which may be pending. */
  get pending(): Promise<IteratorResult<readonly Incoming[]>> {
    return this.#ask();
  }

  async #pull(what: string): Promise<boolean> {
    const next = this.#ask();
    const result = await within(this.#patienceMs, next, what);
    this.#next = undefined;
    if (result.done) return false;
    this.items.push(...result.value);
    return true;
  }

  #ask(): Promise<IteratorResult<readonly Incoming[]>> {
    return (this.#next ??= this.#iterator.next());
  }
}
