import type { WireMessage } from '@proto/core/framing';
import { type Batch, isWorker, type Transport } from '@proto/core/transport';
import { readAll } from './own-transport.ts';
import type { MakeWorker } from './own-ways.ts';
import type { Said, SessionRecord } from './session-record.ts';
import { Unproved } from './unproved.ts';
import { isIncrement, Worker } from './worker.ts';
import type { World } from './world.ts';

/** A worker with our own transport, which claims the lease once. */
export class OwnWorker extends Worker {
  readonly #unproved = new Unproved();
  #transport: Transport | undefined;
  #open = 0;
  /** Messages that were to be sent before the worker had a lease. */
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

  done(): void {
    for (const { uuid } of this.reading.received) {
      if (!this.isOut) this.record.processed.add(uuid);
      const transport = this.#transport;
      if (transport !== undefined && isWorker(transport)) transport.worker.reportDelivery(String(uuid), 'processed');
    }
  }

  protected send(messages: readonly WireMessage[], said: readonly (Said | undefined)[]): void {
    const transport = this.#transport;
    if (transport === undefined) return void this.#early.push(() => this.send(messages, said));
    this.#open++;
    void transport.send(this.#encodeBatch(messages)).then(
      () => {
        this.#unproved.add(said.filter((one) => one !== undefined));
        this.#open--;
      },
      () => {},
    );
  }

  #encodeBatch(messages: readonly WireMessage[]): Batch {
    const outgoing = messages.map((message) => {
      return {
        text: JSON.stringify({ ...message, epoch: this.epoch }),
        id: undefined,
        ephemeral: isIncrement(message),
      };
    });
    const text = outgoing.map((message) => `${message.text}\n`).join('');
    return { count: outgoing.length, text, messages: () => outgoing.values() };
  }

  async #begin(world: World, make: MakeWorker): Promise<void> {
    const lease = await this.claimLease();
    if (lease === undefined || this.over) return;
    const transport = make(world, this.link, lease);
    this.#transport = transport;
    for (const say of this.#early.splice(0)) say();
    await this.record.leased(lease.epoch, this.reading);
    await readAll(transport, this.reading, this.record, (message, sequence) => {
      this.onEvent(sequence, message);
      // The link itself confirms these events to the server, so they are not sent again.
      if (!isWorker(transport) && !this.isOut) this.record.processed.add(message['uuid']);
    }).catch(() => {});
    const { error } = await transport.closed;
    this.#unproved.prove(transport);
    if (this.reading.live && error?.code !== 'rejected')
      this.record.problems.push(`${this.name} ended: ${String(error)}`);
    this.reading.live = false;
  }
}
