import type { IncomingLink } from '@proto/core/internal';
import type { Incoming, IncomingMessage, Transport } from '@proto/core/transport';
import { within } from './within.ts';

/**
 * Reads a transport as far as it is told to, and keeps all it was given. It asks for the first items when it is made, so that
 * only the cases of point 1 depend on what happens to items that nobody has asked for yet.
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

  /** The numbers of the messages so far, in order. */
  get numbers(): unknown[] {
    return this.messages.map((message) => message.read().message?.['n']);
  }

  /** Reads until there are that many messages. */
  async take(count: number): Promise<readonly IncomingMessage[]> {
    await this.until(() => this.messages.length >= count, `${count} messages arrive`);
    return this.messages;
  }

  /** Reads until the condition holds; rejects when the end comes before. */
  async until(holds: () => boolean, what: string): Promise<void> {
    while (!holds()) {
      const more = await this.#pull(what);
      if (!more) throw new Error(`${what}: the end came first, after ${this.items.length} items`);
    }
  }

  /** Reads to the end; rejects with what `incoming` throws. */
  async rest(): Promise<void> {
    while (await this.#pull('incoming ends'));
  }

  /** What the next call of `next` comes to. */
  async end(): Promise<IteratorResult<readonly Incoming[]>> {
    return within(this.#patienceMs, this.#iterator.next(), 'next settles');
  }

  /** The answer that is waited for now. */
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
