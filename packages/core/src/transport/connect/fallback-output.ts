import type { Clock } from '../async/deadline.ts';
import { TransportError, toTransportError } from '../error.ts';
import { Fifo } from '../queues/fifo.ts';
import { createDeferred } from '../async/deferred.ts';
import { withMessageIds } from '../lines/message-id.ts';
import { RecentIds } from '../queues/recent-ids.ts';
import { isReplayable } from '../transport-extensions.ts';
import type { Batch, Transport } from '../transport.ts';

// After a failed send: how long to wait for the transport to end. If it ends, the whole link has failed; otherwise only the send has failed.
const SEND_FAILED_MS = 250;
const MAX_SENT_IDS = 10_000;

/**
 * Sends messages over a series of transports. If a transport could not prove that messages were delivered, the next transport sends them again with
 * the same ids, and the server counts each message only once.
 *
 * States:
 * - `waiting`: no transport is open, and writes wait
 * - `carrying`: a transport is open and sends the earlier messages, and writes wait
 * - `ready`: writes are passed to the transport
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

  /** `onLost` is called if a later transport refuses messages that an earlier transport has accepted. */
  constructor(clock: Clock, onLost: (error: TransportError) => void) {
    this.#clock = clock;
    this.#onLost = onLost;
  }

  /** Fulfils when messages need not wait, or when they will never be sent. */
  get ready(): Promise<unknown> {
    return this.#ready.promise;
  }

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
      // The batch may have been stored before the link broke. In this case the next transport receives it.
      (transport) => retainedBy(transport).includes(kept),
    );
  }

  flush(): Promise<void> {
    return this.#insist((transport) => transport.flush());
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    // A transport that is not ready still has earlier messages to send.
    if (this.#state === 'ready') await this.#present?.end().catch(() => {});
  }

  /** First sends the messages whose delivery earlier transports could not prove, and then the waiting messages. */
  async opened(transport: Transport): Promise<void> {
    this.#state = 'carrying';
    this.#present = transport;
    for (let batch = this.#carried.peek(); batch !== undefined; batch = this.#carried.peek()) {
      try {
        await transport.send(batch);
      } catch (error) {
        if (await this.#hasEnded(transport)) return;
        // The sender's promise was fulfilled when the batch was accepted, so it can no longer reject.
        this.#onLost(toTransportError(error));
      }
      this.#carried.shift();
    }
    if (this.#present !== transport || this.#state !== 'carrying') return;
    if (this.#isEnded) transport.end().catch(() => {});
    this.#state = 'ready';
    this.#ready.settle(transport);
  }

  /** Writes wait for the next transport. */
  closed(): void {
    if (this.#state === 'ready') this.#ready = createDeferred();
    this.#state = 'waiting';
  }

  /** Records that everything from the transport has been read. Messages whose delivery it did not prove are left for the next transport. */
  carryOver(): void {
    const unproved = this.unproved;
    this.#carried.clear();
    for (const batch of unproved) this.#carried.push(batch);
    this.#present = undefined;
  }

  /** No transport is left, so waiting messages are never sent. */
  release(): void {
    this.#ready.settle(undefined);
  }

  /** Runs an action on the ready transport. If this transport ends meanwhile, runs the action again on the next transport. */
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

  /** Whether a transport has ended, or is about to end. */
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
  return transport !== undefined && isReplayable(transport) ? transport.unacknowledged.batches() : [];
}
