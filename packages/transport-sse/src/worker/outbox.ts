import { TransportError } from '@proto/core/transport';
import type { RequestRetries, RetriedRequest } from '../request-retries.ts';

/** What one kind of news is sent with. */
export interface OutboxOptions<Item> {
  readonly retries: Pick<RequestRetries, 'send'>;
  /** How many of those that wait go with the next request; one at least. */
  readonly next: (waiting: readonly Item[]) => number;
  /** How many may wait: of more the oldest are dropped. Default: any number. */
  readonly maxWaiting?: number;
  /** Undefined where they need not be told any more. */
  readonly request: (items: readonly Item[]) => RetriedRequest | undefined;
}

/** News of one kind, in order: one request at a time, and with the next one goes what has gathered meanwhile. */
export class Outbox<Item> {
  readonly #options: OutboxOptions<Item>;
  readonly #waiting: Item[] = [];
  #underWay = 0;
  #started = false;
  #isRunning = false;
  #rested: (() => void)[] = [];
  #refused: TransportError | undefined;
  #failed: TransportError | undefined;

  constructor(options: OutboxOptions<Item>) {
    this.#options = options;
  }

  /** How many the server has not yet taken. */
  get pending(): number {
    return this.#waiting.length + this.#underWay;
  }

  add(item: Item): void {
    if (this.#failed !== undefined) return;
    const { maxWaiting = Infinity } = this.#options;
    if (this.#waiting.length >= maxWaiting) this.#waiting.shift();
    this.#waiting.push(item);
    this.#run();
  }

  /** From now on it sends. */
  start(): void {
    this.#started = true;
    this.#run();
  }

  /** Nothing is sent any more. */
  fail(error: TransportError): void {
    this.#failed ??= error;
    this.#rest();
  }

  /**
   * Fulfils when the server has taken all that was added. Rejects when it will never take some of it, which is told once, or when
   * nothing is sent any more.
   */
  async flush(): Promise<void> {
    while (this.pending > 0 && this.#failed === undefined) {
      await new Promise<void>((resolve) => this.#rested.push(resolve));
    }
    const refused = this.#refused;
    this.#refused = undefined;
    if (refused !== undefined) throw refused;
    if (this.#failed !== undefined && this.pending > 0) throw this.#failed;
  }

  #run(): void {
    if (!this.#started || this.#isRunning || this.#waiting.length === 0) return;
    this.#isRunning = true;
    this.#send()
      .catch((error: unknown) => this.fail(TransportError.from(error)))
      .finally(() => {
        this.#isRunning = false;
        this.#rest();
      });
  }

  #rest(): void {
    for (const tell of this.#rested.splice(0)) tell();
  }

  async #send(): Promise<void> {
    const { retries, next, request } = this.#options;
    // What else is told in this tick goes along.
    await Promise.resolve();
    while (this.#waiting.length > 0 && this.#failed === undefined) {
      const items = this.#waiting.splice(0, next(this.#waiting));
      this.#underWay = items.length;
      const made = request(items);
      const refused = made && (await retries.send(made));
      this.#refused ??= refused;
      this.#underWay = 0;
    }
  }
}
