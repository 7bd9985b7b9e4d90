import type { WireMessage } from '@proto/core/framing';
import type { Lease } from './own-ways.ts';
import type { RawAnswer } from './raw-client.ts';
import type { Said, SessionRecord } from './session-record.ts';
import { isIncrement, Worker } from './worker.ts';
import type { World } from './world.ts';

/** A message or report that a handwritten worker has to send. */
export interface WorkerEntry {
  readonly payload: object;
  readonly ephemeral?: boolean;
  readonly said?: Said | undefined;
}

/** How many messages one POST has, unless very many wait. */
const [FEW, MANY] = [10, 1000];

/** A handwritten worker: it claims the lease, sends its messages in order, and stops when it has lost the lease. */
export abstract class PostingWorker extends Worker {
  readonly #waiting: WorkerEntry[] = [];
  #posting = false;

  constructor(world: World, record: SessionRecord, session: string, name: string) {
    super(world, record, session, name);
    // Starts only after the subclass has set its members.
    queueMicrotask(() => void this.#begin());
  }

  get settled(): boolean {
    return this.client.over || (this.epoch !== 0 && this.#waiting.length === 0);
  }

  protected send(messages: readonly WireMessage[], said: readonly (Said | undefined)[]): void {
    this.#enqueue(messages.map((payload, index) => ({ payload, said: said[index], ephemeral: isIncrement(payload) })));
  }

  /** Posts this under the lease until an answer arrives. */
  protected abstract post(entries: readonly WorkerEntry[]): Promise<RawAnswer | undefined>;

  /** Reads until the worker has lost the lease or is stopped. */
  protected abstract follow(lease: Lease): Promise<void>;

  #enqueue(entries: readonly WorkerEntry[]): void {
    this.#waiting.push(...entries);
    void this.#pump();
  }

  async #begin(): Promise<void> {
    const lease = await this.claimLease();
    if (lease === undefined) return;
    this.client.token = lease.token;
    void this.#pump();
    await this.record.leased(lease.epoch, this.reading);
    await this.follow(lease);
    // The worker reads nothing more, but may still have messages to send.
    this.reading.live = false;
  }

  async #pump(): Promise<void> {
    if (this.#posting || this.epoch === 0) return;
    this.#posting = true;
    while (this.#waiting.length > 0 && !this.client.over) {
      const batch = this.#waiting.slice(0, this.#waiting.length > FEW * FEW ? MANY : FEW);
      const answer = await this.post(
        batch.map((entry) => ({ ...entry, payload: { ...entry.payload, epoch: this.epoch } })),
      );
      if (answer?.status !== 200) break;
      for (const { said } of this.#waiting.splice(0, batch.length)) if (said !== undefined) said.outcome = 'taken';
    }
    this.#posting = false;
    if (this.#waiting.length > 0) this.stop();
  }
}
