import type { Clock } from '../async/deadline.ts';
import { TransportError } from '../error.ts';
import { Fifo } from '../queues/fifo.ts';
import { createDeferred } from '../async/deferred.ts';
import { withMessageIds } from '../lines/message-id.ts';
import { RecentIds } from '../queues/recent-ids.ts';
import { isRetaining } from '../transport-extensions.ts';
import type { Batch, Transport } from '../transport.ts';

// A send that fails says only then whether it failed, or the link did.
const SEND_FAILED_MS = 250;
const MAX_SENT_IDS = 10_000;

/**
 * What goes by one transport after the other. What the last one could not prove to have delivered is sent again by the next one, under
 * the same ids; the other side counts each once.
 *
 * States:
 * - `waiting`: no transport is open, and writes wait
 * - `carrying`: one is, and is given what was sent before; writes wait
 * - `ready`
 */
export class FallbackOutput {
  readonly #clock: Clock;
  readonly #onLost: (error: TransportError) => void;
  readonly #sent = new RecentIds(MAX_SENT_IDS);
  #state: 'waiting' | 'carrying' | 'ready' = 'waiting';
  #present: Transport | undefined;
  readonly #carried = new Fifo<Batch>();
  #ready = createDeferred<Transport | undefined>();
  #isEnded = false;

  /** `onLost` hears of what one transport has taken and another one refuses. */
  constructor(clock: Clock, onLost: (error: TransportError) => void) {
    this.#clock = clock;
    this.#onLost = onLost;
  }

  /** Fulfils when nothing has to wait, or never will be sent. */
  get ready(): Promise<unknown> {
    return this.#ready.promise;
  }

  /** What is not proved to have been delivered. */
  get unproved(): Batch[] {
    return [...retainedBy(this.#present), ...this.#carried];
  }

  hasSent(id: string): boolean {
    return this.#sent.has(id);
  }

  write(batch: Batch): Promise<void> {
    const kept = withMessageIds(batch);
    for (const { id } of kept.messages()) if (id !== undefined) this.#sent.add(id);
    return this.#insist(
      (transport) => transport.send(kept),
      // It may have been stored before the link broke: then it is carried over.
      (transport) => retainedBy(transport).includes(kept),
    );
  }

  flush(): Promise<void> {
    return this.#insist((transport) => transport.flush());
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    // One that is not ready has something to send before.
    if (this.#state === 'ready') await this.#present?.end().catch(() => {});
  }

  /** A transport is open: it is given what the ones before could not prove to have delivered, and then what waits. */
  async opened(transport: Transport): Promise<void> {
    this.#state = 'carrying';
    this.#present = transport;
    for (let batch = this.#carried.peek(); batch !== undefined; batch = this.#carried.peek()) {
      try {
        await transport.send(batch);
      } catch (error) {
        if (await this.#hasEnded(transport)) return;
        // Its sender was told that it was taken: now it is not.
        this.#onLost(TransportError.from(error));
      }
      this.#carried.shift();
    }
    if (this.#present !== transport || this.#state !== 'carrying') return;
    if (this.#isEnded) transport.end().catch(() => {});
    this.#state = 'ready';
    this.#ready.settle(transport);
  }

  /** It has closed: whoever writes waits for the next one. */
  closed(): void {
    if (this.#state === 'ready') this.#ready = createDeferred();
    this.#state = 'waiting';
  }

  /** All it has brought is read: what it did not prove is for the next one. */
  carryOver(): void {
    const unproved = this.unproved;
    this.#carried.clear();
    for (const batch of unproved) this.#carried.push(batch);
    this.#present = undefined;
  }

  /** There is no other one: what waits is never sent. */
  release(): void {
    this.#ready.settle(undefined);
  }

  /** Does something with whichever transport is ready, until one has not ended meanwhile. */
  async #insist(
    act: (transport: Transport) => Promise<void>,
    isDone: (transport: Transport) => boolean = () => false,
  ): Promise<void> {
    for (;;) {
      const transport = await this.#ready.promise;
      if (transport === undefined) return;
      try {
        return await act(transport);
      } catch (error) {
        if (!(await this.#hasEnded(transport))) throw error;
        if (isDone(transport)) return;
      }
    }
  }

  /** Whether a transport has ended, or does so in a moment. */
  async #hasEnded(transport: Transport): Promise<boolean> {
    let timer: unknown;
    const time = new Promise<undefined>((resolve) => {
      timer = this.#clock.setTimeout(() => resolve(undefined), SEND_FAILED_MS);
    });
    const close = await Promise.race([transport.closed, time]);
    this.#clock.clearTimeout(timer);
    return close !== undefined;
  }
}

function retainedBy(transport: Transport | undefined): readonly Batch[] {
  return transport !== undefined && isRetaining(transport) ? transport.retained.batches() : [];
}
