import type { WireMessage } from '@proto/core/framing';
import type { Said, SessionRecord } from './session-record.ts';
import { Worker } from './worker.ts';
import type { World } from './world.ts';

interface Entry {
  readonly payload: object;
  readonly ephemeral?: boolean;
  readonly said?: Said;
}

/** A worker by hand: it takes the seat, says what it has to in order, and stops when it has lost the seat. */
export class RawWorker extends Worker {
  readonly #waiting: Entry[] = [];
  #epoch = 0;
  #posting = false;

  constructor(world: World, record: SessionRecord, session: string, name: string) {
    super(world, record, session, name);
    void this.#begin();
  }

  get settled(): boolean {
    return this.client.over || (this.#epoch !== 0 && this.#waiting.length === 0);
  }

  increment(): void {
    this.#enqueue({ payload: { type: 'stream_event', uuid: crypto.randomUUID() }, ephemeral: true });
  }

  done(): void {
    const updates = this.reading.heard.map(({ uuid }) => ({ event_id: uuid, status: 'processed' }));
    if (this.#epoch === 0 || updates.length === 0) return;
    for (const { event_id } of updates) this.record.processed.add(event_id);
    void this.client.insist('/worker/events/delivery', { worker_epoch: this.#epoch, updates }).then((answer) => {
      if (answer?.status !== 200) return;
      for (const { event_id } of updates) this.record.processedForSure.add(event_id);
    });
  }

  protected send(payload: WireMessage, said: Said): void {
    this.#enqueue({ payload, said });
  }

  #enqueue(entry: Entry): void {
    this.#waiting.push(entry);
    void this.#pump();
  }

  async #begin(): Promise<void> {
    const seat = await this.takeSeat();
    if (seat === undefined) return;
    this.client.token = seat.token;
    this.#epoch = seat.epoch;
    void this.#pump();
    await this.noteSeat(seat);
    await this.client.follow('/worker/events/stream', 0, ({ event, data }) => {
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
    while (this.#waiting.length > 0 && !this.client.over) {
      const batch = this.#waiting.slice(0, 10);
      const events = batch.map(({ payload, ephemeral }) => ({
        payload: { ...payload, epoch: this.#epoch },
        ephemeral,
      }));
      const answer = await this.client.insist('/worker/events', { worker_epoch: this.#epoch, events });
      if (answer?.status !== 200) break;
      for (const { said } of this.#waiting.splice(0, batch.length)) if (said !== undefined) said.outcome = 'taken';
    }
    this.#posting = false;
    if (this.#waiting.length > 0) this.stop();
  }
}
