import { type Batch, batchOf, type Transport } from '@proto/core/transport';
import { readAll } from './own-transport.ts';
import type { MakeWorker } from './own-ways.ts';
import { RawClient } from './raw-client.ts';
import { permission, type Reading, type Said, type SessionRecord } from './session-record.ts';
import { Unproved } from './unproved.ts';
import type { Link, World } from './world.ts';

/** A worker by our own transport, which takes the seat once. */
export class OwnWorker {
  readonly name: string;
  readonly link: Link;
  readonly reading: Reading;
  readonly #world: World;
  readonly #record: SessionRecord;
  readonly #client: RawClient;
  readonly #session: string;
  readonly #make: MakeWorker;
  readonly #unproved = new Unproved();
  #transport: Transport | undefined;
  #epoch = 0;
  #sent = 0;
  #asked = 0;
  #open = 0;
  /** What was to be said before there was a seat. */
  readonly #early: (() => void)[] = [];

  constructor(world: World, record: SessionRecord, session: string, name: string, make: MakeWorker) {
    this.name = name;
    this.#make = make;
    this.link = world.link();
    this.#world = world;
    this.#record = record;
    this.#session = session;
    this.#client = new RawClient(world, this.link, `/v1/code/sessions/${session}`);
    this.reading = record.read({ name, kind: 'worker', after: 0 });
    void this.#begin();
  }

  get over(): boolean {
    return !this.reading.live;
  }

  get settled(): boolean {
    const isQuiet = this.#transport !== undefined && this.#open === 0;
    return this.over || (isQuiet && this.#unproved.prove(this.#transport) === 0);
  }

  stop(): void {
    this.#unproved.prove(this.#transport);
    this.reading.live = false;
    this.#client.stop();
    this.#transport?.abort();
  }

  say(count: number): void {
    for (let n = 0; n < count; n++) this.#send('assistant', (rest) => ({ type: 'assistant', ...rest }));
  }

  increment(): void {
    const text = JSON.stringify({ type: 'stream_event', uuid: crypto.randomUUID() });
    const increments = [{ text, id: undefined, ephemeral: true }];
    const batch: Batch = { count: 1, text: `${text}\n`, messages: () => increments.values() };
    void this.#transport?.send(batch).catch(() => {});
  }

  ask(): void {
    const requestId = `${this.name}-${++this.#asked}`;
    this.#send('control_request', (rest) => permission(requestId, rest));
  }

  takeBack(): void {
    if (this.#asked === 0) return;
    const request_id = `${this.name}-${this.#asked}`;
    this.#send('control_cancel_request', (rest) => ({ type: 'control_cancel_request', request_id, ...rest }));
  }

  done(): void {
    for (const { uuid } of this.reading.heard) {
      this.#record.processed.add(uuid);
      this.#transport?.worker?.reportDelivery(String(uuid), 'processed');
    }
  }

  async #begin(): Promise<void> {
    const answer = await this.#client.insist('/bridge', {});
    if (answer === undefined || this.over) return;
    const { worker_jwt, worker_epoch } = answer.body as { worker_jwt: string; worker_epoch: number };
    this.#epoch = worker_epoch;
    const seat = { session: this.#session, token: worker_jwt, epoch: worker_epoch };
    const transport = this.#make(this.#world, this.link, seat);
    this.#transport = transport;
    for (const say of this.#early.splice(0)) say();
    this.#record.seats.push({ epoch: worker_epoch, behind: (await this.#record.last()).last });
    await readAll(transport, this.reading, this.#record, ({ uuid }) => {
      // Its link alone tells the server that it has that, and it is not told again.
      if (transport.worker === undefined) this.#record.processed.add(uuid);
    }).catch(() => {});
    const { error } = await transport.closed;
    this.#unproved.prove(transport);
    if (this.reading.live && error?.code !== 'rejected')
      this.#record.problems.push(`${this.name} ended: ${String(error)}`);
    this.reading.live = false;
  }

  #send(type: string, message: (rest: object) => { readonly type: string }): void {
    const said: Said = { sender: this.name, n: ++this.#sent, uuid: crypto.randomUUID(), type };
    this.#record.say(said);
    const send = (transport: Transport) => {
      this.#open++;
      const { sender, n, uuid } = said;
      void transport.send(batchOf(message({ uuid, sender, n, epoch: this.#epoch }))).then(
        () => {
          this.#unproved.add([said]);
          this.#open--;
        },
        () => {},
      );
    };
    if (this.#transport !== undefined) return send(this.#transport);
    this.#early.push(() => send(this.#transport as Transport));
  }
}
