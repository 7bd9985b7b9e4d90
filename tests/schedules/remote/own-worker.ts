import { type Batch, batchOf, type Transport } from '@proto/core/transport';
import { createSseWorkerTransport } from '@proto/transport-sse';
import { RawClient } from './raw-client.ts';
import { permission, type Reading, type Said, type SessionRecord } from './session-record.ts';
import { BASE, type Link, type World } from './world.ts';

/** A worker by our own transport, which takes the seat once. */
export class OwnWorker {
  readonly name: string;
  readonly link: Link;
  readonly reading: Reading;
  readonly #world: World;
  readonly #record: SessionRecord;
  readonly #client: RawClient;
  readonly #path: string;
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
    this.#path = `/v1/code/sessions/${session}`;
    this.#client = new RawClient(world, this.link, this.#path);
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
    const { clock, timing } = this.#world;
    const transport = createSseWorkerTransport({
      url: `${BASE}${this.#path}`,
      credential: () => ({ token: worker_jwt, epoch: worker_epoch }),
      fetch: this.link.fetch,
      clock,
      random: () => 0.5,
      baseMs: timing.retryMs,
      capMs: timing.retryMs * 20,
      silenceMs: timing.silenceMs,
      postTimeoutMs: timing.answerMs,
      connectTimeoutMs: timing.answerMs,
      maxDownMs: Infinity,
      maxOpeningMs: Infinity,
    });
    this.#transport = transport;
    this.#record.seats.push({ epoch: worker_epoch, behind: (await this.#record.last()).last });
    for (const say of this.#early.splice(0)) say();
    await this.#read(transport).catch(() => {});
    const { error } = await transport.closed;
    if (this.reading.live && error?.code !== 'rejected')
      this.#record.problems.push(`${this.name} ended: ${String(error)}`);
    this.reading.live = false;
  }

  async #read(transport: Transport): Promise<void> {
    for await (const items of transport.incoming) {
      for (const item of items) {
        if (!this.reading.live) return;
        if (item.kind === 'malformed' || (item.kind === 'link' && item.resumed === false)) {
          this.#record.problems.push(`${this.name} was handed ${JSON.stringify(item)}`);
        }
        if (item.kind !== 'message' || item.cursor === undefined) continue;
        const { uuid, type } = item.read().message ?? { type: 'none' };
        this.reading.heard.push({ sequence: Number(item.cursor), uuid, type });
        transport.resumption?.acknowledge(item.cursor);
      }
    }
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
