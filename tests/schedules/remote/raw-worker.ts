import { RawClient } from './raw-client.ts';
import { permission, type Reading, type Said, type SessionRecord } from './session-record.ts';
import type { Link, World } from './world.ts';

interface Entry {
  readonly payload: object;
  readonly ephemeral?: boolean;
  readonly said?: Said;
}

/** A worker by hand: it takes the seat, says what it has to in order, and stops when it has lost the seat. */
export class RawWorker {
  readonly name: string;
  readonly link: Link;
  readonly reading: Reading;
  /** Requests it asked and did not take back. */
  readonly asked: string[] = [];
  readonly #record: SessionRecord;
  readonly #client: RawClient;
  readonly #waiting: Entry[] = [];
  #epoch: unknown = 0;
  #sent = 0;
  #posting = false;

  constructor(world: World, record: SessionRecord, session: string, name: string) {
    this.name = name;
    this.link = world.link();
    this.#record = record;
    this.#client = new RawClient(world, this.link, `/v1/code/sessions/${session}`);
    this.reading = record.read({ name, kind: 'worker', after: 0 });
    void this.#begin();
  }

  /** It knows that another one has the seat. */
  get over(): boolean {
    return !this.reading.live;
  }

  get settled(): boolean {
    return this.#client.over || (this.#epoch !== 0 && this.#waiting.length === 0);
  }

  stop(): void {
    this.reading.live = false;
    this.#client.stop();
  }

  say(count: number): void {
    for (let n = 0; n < count; n++) this.#enqueue('assistant', (rest) => ({ type: 'assistant', ...rest }));
  }

  increment(): void {
    this.#waiting.push({ payload: { type: 'stream_event', uuid: crypto.randomUUID() }, ephemeral: true });
    void this.#pump();
  }

  ask(): void {
    const requestId = `${this.name}-${this.asked.length + 1}`;
    this.asked.push(requestId);
    this.#enqueue('control_request', (rest) => permission(requestId, rest));
  }

  takeBack(): void {
    const requestId = this.asked.at(-1);
    if (requestId === undefined) return;
    this.#enqueue('control_cancel_request', (rest) => ({
      type: 'control_cancel_request',
      request_id: requestId,
      ...rest,
    }));
  }

  /** Tells that it is done with all it heard. */
  done(): void {
    const updates = this.reading.heard.map(({ uuid }) => ({ event_id: uuid, status: 'processed' }));
    if (this.#epoch === 0 || updates.length === 0) return;
    for (const { event_id } of updates) this.#record.processed.add(event_id);
    void this.#client.insist('/worker/events/delivery', { worker_epoch: this.#epoch, updates }).then((answer) => {
      if (answer?.status !== 200) return;
      for (const { event_id } of updates) this.#record.processedForSure.add(event_id);
    });
  }

  #enqueue(type: string, message: (rest: object) => object): void {
    const said: Said = { sender: this.name, n: ++this.#sent, uuid: crypto.randomUUID(), type };
    this.#record.say(said);
    const payload = message({ uuid: said.uuid, sender: said.sender, n: said.n, epoch: this.#epoch });
    this.#waiting.push({ payload, said });
    void this.#pump();
  }

  async #begin(): Promise<void> {
    const answer = await this.#client.insist('/bridge', {});
    if (answer === undefined) return;
    this.#client.token = String(answer.body['worker_jwt']);
    this.#epoch = answer.body['worker_epoch'];
    void this.#pump();
    this.#record.seats.push({ epoch: Number(this.#epoch), behind: (await this.#record.last()).last });
    await this.#client.follow('/worker/events/stream', 0, ({ event, data }) => {
      if (event !== 'client_event') return;
      const {
        sequence_num: sequence,
        event_type: type,
        payload,
      } = data as { sequence_num: number; event_type: string; payload: { uuid?: unknown } };
      this.reading.heard.push({ sequence, uuid: payload.uuid, type });
    });
    // It hears nothing more, and may have something to say.
    this.reading.live = false;
  }

  async #pump(): Promise<void> {
    if (this.#posting || this.#epoch === 0) return;
    this.#posting = true;
    while (this.#waiting.length > 0 && !this.#client.over) {
      const batch = this.#waiting.slice(0, 10);
      const events = batch.map(({ payload, ephemeral }) => ({
        payload: { ...payload, epoch: this.#epoch },
        ephemeral,
      }));
      const answer = await this.#client.insist('/worker/events', { worker_epoch: this.#epoch, events });
      if (answer?.status !== 200) break;
      for (const { said } of this.#waiting.splice(0, batch.length)) if (said !== undefined) said.outcome = 'taken';
    }
    this.#posting = false;
    if (this.#waiting.length > 0) this.stop();
  }
}
