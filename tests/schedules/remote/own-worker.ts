import type { WireMessage } from '@proto/core/framing';
import { type Batch, batchOf, type Transport } from '@proto/core/transport';
import { readAll } from './own-transport.ts';
import type { MakeWorker } from './own-ways.ts';
import type { Said, SessionRecord } from './session-record.ts';
import { Unproved } from './unproved.ts';
import { Worker } from './worker.ts';
import type { World } from './world.ts';

/** A worker by our own transport, which takes the seat once. */
export class OwnWorker extends Worker {
  readonly #unproved = new Unproved();
  #transport: Transport | undefined;
  #epoch = 0;
  #open = 0;
  /** What was to be said before there was a seat. */
  readonly #early: (() => void)[] = [];

  constructor(world: World, record: SessionRecord, session: string, name: string, make: MakeWorker) {
    super(world, record, session, name);
    void this.#begin(world, make);
  }

  get settled(): boolean {
    const isQuiet = this.#transport !== undefined && this.#open === 0;
    return this.over || (isQuiet && this.#unproved.prove(this.#transport) === 0);
  }

  override stop(): void {
    this.#unproved.prove(this.#transport);
    super.stop();
    this.#transport?.abort();
  }

  increment(): void {
    const text = JSON.stringify({ type: 'stream_event', uuid: crypto.randomUUID() });
    const increments = [{ text, id: undefined, ephemeral: true }];
    const batch: Batch = { count: 1, text: `${text}\n`, messages: () => increments.values() };
    void this.#transport?.send(batch).catch(() => {});
  }

  done(): void {
    for (const { uuid } of this.reading.heard) {
      this.record.processed.add(uuid);
      this.#transport?.worker?.reportDelivery(String(uuid), 'processed');
    }
  }

  protected send(message: WireMessage, said: Said): void {
    const transport = this.#transport;
    if (transport === undefined) return void this.#early.push(() => this.send(message, said));
    this.#open++;
    void transport.send(batchOf({ ...message, epoch: this.#epoch })).then(
      () => {
        this.#unproved.add([said]);
        this.#open--;
      },
      () => {},
    );
  }

  async #begin(world: World, make: MakeWorker): Promise<void> {
    const seat = await this.takeSeat();
    if (seat === undefined || this.over) return;
    this.#epoch = seat.epoch;
    const transport = make(world, this.link, seat);
    this.#transport = transport;
    for (const say of this.#early.splice(0)) say();
    await this.noteSeat(seat);
    await readAll(transport, this.reading, this.record, ({ uuid }) => {
      // Its link alone tells the server that it has that, and it is not told again.
      if (transport.worker === undefined) this.record.processed.add(uuid);
    }).catch(() => {});
    const { error } = await transport.closed;
    this.#unproved.prove(transport);
    if (this.reading.live && error?.code !== 'rejected')
      this.record.problems.push(`${this.name} ended: ${String(error)}`);
    this.reading.live = false;
  }
}
