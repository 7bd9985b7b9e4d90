import { type Batch, batchOf, type Transport } from '@proto/core/transport';
import { createSseWorkerTransport } from '@proto/transport-sse';
import { ownOptions, readAll } from './own-transport.ts';
import { RawClient } from './raw-client.ts';
import { permission, type Reading, type Said, type SessionRecord } from './session-record.ts';
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
  #transport: Transport | undefined;
  #epoch = 0;
  #sent = 0;
  #asked = 0;
  #open = 0;
  /** What was to be said before there was a seat. */
  readonly #early: (() => void)[] = [];

  constructor(world: World, record: SessionRecord, session: string, name: string) {
    this.name = name;
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
    return this.over || (this.#transport !== undefined && this.#open === 0);
  }

  stop(): void {
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
    const transport = createSseWorkerTransport({
      ...ownOptions(this.#world, this.link, this.#session),
      credential: () => ({ token: worker_jwt, epoch: worker_epoch }),
    });
    this.#transport = transport;
    for (const say of this.#early.splice(0)) say();
    this.#record.seats.push({ epoch: worker_epoch, behind: (await this.#record.last()).last });
    await readAll(transport, this.reading, this.#record).catch(() => {});
    const { error } = await transport.closed;
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
          said.outcome = 'taken';
          this.#open--;
        },
        () => {},
      );
    };
    if (this.#transport !== undefined) return send(this.#transport);
    this.#early.push(() => send(this.#transport as Transport));
  }
}
