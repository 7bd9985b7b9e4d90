import { toTransportError } from '@proto/core/network';
import { TransportError } from '@proto/core/transport';
import type { RequestRetries, RetriedRequest } from '../request-retries.ts';

export interface OutboxOptions<Item> {
  readonly retries: Pick<RequestRetries, 'send'>;
  /** Returns how many of the waiting items are sent with the next request. Must be at least 1. */
  readonly next: (waiting: readonly Item[]) => number;
  /** How many items may wait. If more items are waiting, the oldest are dropped. Default: no limit. */
  readonly maxWaiting?: number;
  /** Undefined if the items no longer need to be reported. */
  readonly request: (items: readonly Item[]) => RetriedRequest | undefined;
}

/** Sends reports of one kind in order, one request at a time. Items that are added during a request are sent together in the next request. */
export class Outbox<Item> {
  readonly #options: OutboxOptions<Item>;
  readonly #waiting: Item[] = [];
  #underWay = 0;
  #started = false;
  #isRunning = false;
  #waiters: (() => void)[] = [];
  #refused: TransportError | undefined;
  #failed: TransportError | undefined;

  constructor(options: OutboxOptions<Item>) {
    this.#options = options;
  }

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

  start(): void {
    this.#started = true;
    this.#run();
  }

  /** Stops permanently: nothing more is sent, and `flush` rejects with the error. */
  fail(error: TransportError): void {
    this.#failed ??= error;
    this.#settleWaiters();
  }

  /**
   * Fulfils when the server has accepted all items.
   * @throws {TransportError} if the server has permanently refused some items (thrown once), or if `fail` was called while items were waiting.
   */
  async flush(): Promise<void> {
    while (this.pending > 0 && this.#failed === undefined) {
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
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
      .catch((error: unknown) => this.fail(toTransportError(error)))
      .finally(() => {
        this.#isRunning = false;
        this.#settleWaiters();
      });
  }

  #settleWaiters(): void {
    for (const settle of this.#waiters.splice(0)) settle();
  }

  async #send(): Promise<void> {
    const { retries, next, request } = this.#options;
    // Items that are added in the same tick are sent with this request.
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
