import { isObject, type JsonObject, objectOf } from '../json.ts';
import type { NewEvent, StoredEvent } from '../log/event-log.ts';
import type { EventReader } from '../stream/event-reader.ts';
import type { EventSink } from '../stream/event-sink.ts';
import { eventStreamFormat } from '../stream/frames.ts';
import { liveFrame, type StreamFormat } from '../stream/stream-format.ts';
import type { Entry, EntryRefusal, EntryResult } from './entry.ts';
import { ControlRequests, type ControlRequestsState, type Resolution } from './control-requests.ts';
import { DeliveryMarks, type DeliveryMarksState } from './delivery-marks.ts';
import { idOf } from './id.ts';
import { Readers } from './readers.ts';
import type { AgentFailure } from './session-agents.ts';
import type { ReaderManner, SessionContext, SessionRecord } from './session-context.ts';
import { type SessionEvent, sessionEventOf, type Source } from './session-event.ts';
import { conflictOf, type Conflict, emptySeat, reported, type WorkerState } from './worker-seat.ts';

/** What is known of a worker, in UTF-16 units: reports add to it, one after the other. */
const MAX_SEAT_LENGTH = 16 * 1024 * 1024;
/** How many events a load goes through at most beyond what was stored of the state. */
const CHECKPOINT_EVERY = 500;

interface Checkpoint {
  readonly upTo: number;
  readonly delivery: DeliveryMarksState;
  readonly requests: ControlRequestsState;
}

/**
 * One session: its log, its worker, its open requests, and who reads it now. What is stored is told to the readers afterwards, never
 * before; the state follows from the log, and what is stored of it only spares going through all of it.
 */
export class Session {
  readonly #context: SessionContext;
  readonly #readers: Readers;
  #record: SessionRecord;
  #seat: WorkerState;
  #requests: ControlRequests;
  #delivery: DeliveryMarks;
  /** Marks that are not known to be stored. */
  readonly #untold: JsonObject[] = [];
  /** The last event that the readers were told of. */
  #last: number;
  #checkpointed: number;
  /** What the worker in the seat is known to have, of those that tell no marks. */
  #provedUpTo = 0;
  #turn: Promise<unknown> = Promise.resolve();
  readonly #forViewers = ({ id, type, source, payload }: StoredEvent) =>
    type !== 'control_request' || source !== 'worker' || this.#requests.isOpen('worker', requestIdOf(payload), id);

  private constructor(context: SessionContext, record: SessionRecord, seat: WorkerState, checkpoint?: Checkpoint) {
    this.#context = context;
    this.#record = record;
    this.#seat = seat;
    this.#requests = new ControlRequests(checkpoint?.requests);
    this.#delivery = new DeliveryMarks(checkpoint?.delivery);
    this.#last = this.#checkpointed = checkpoint?.upTo ?? 0;
    this.#readers = new Readers(context, record.id, () => this.#last);
  }

  /** Stores a new session. */
  static async create(context: SessionContext, record: SessionRecord): Promise<Session> {
    const session = new Session(context, record, emptySeat);
    await session.#write('session', record);
    context.agents?.need(record.id);
    return session;
  }

  /** Makes a session from what the log has of it; undefined where it has none. */
  static async load(context: SessionContext, id: string): Promise<Session | undefined> {
    const read = async (name: string) => {
      const text = await context.log.readDocument(id, name);
      return text === undefined ? undefined : JSON.parse(text);
    };
    const record = await read('session');
    if (record === undefined) return undefined;
    const session = new Session(context, record, (await read('worker')) ?? emptySeat, await read('checkpoint'));
    await session.#replay();
    return session;
  }

  get record(): SessionRecord {
    return this.#record;
  }

  get seat(): WorkerState {
    return this.#seat;
  }

  get openRequests(): number {
    return this.#requests.size;
  }

  /** Why nobody will take what clients send. */
  get agentFailure(): AgentFailure | undefined {
    return this.#context.agents?.failureOf(this.#record.id);
  }

  /** The event streams that are open now. */
  get readers(): Pick<Readers, 'viewers' | 'size' | 'keepAlive' | 'endRevoked' | 'endAll'> {
    return this.#readers;
  }

  /** Why a worker may not act; see `conflictOf`. */
  conflict(token: string, claimed?: number): Conflict | undefined {
    return this.#record.archived ? 'session_not_active' : conflictOf(this.#seat, token, claimed);
  }

  /** Gives the seat to a token under a new epoch; whoever had it is out. */
  takeSeat(token: string): Promise<number> {
    return this.#inTurn(async () => {
      const seat = { ...this.#seat, epoch: this.#seat.epoch + 1, holder: token };
      await this.#write('worker', seat);
      this.#seat = seat;
      this.#provedUpTo = 0;
      this.#readers.endWorkers('superseded');
      return seat.epoch;
    });
  }

  /** Does the work of a worker in its turn, unless the worker has lost its seat. */
  whileSeated(token: string, epoch: number | undefined, work: () => Promise<void>): Promise<Conflict | undefined> {
    return this.#inTurn(async () => {
      const conflict = this.conflict(token, epoch);
      if (conflict === undefined) await work();
      return conflict;
    });
  }

  /** Merges a report of the worker into what is known of it, unless that would be too much. */
  async report(
    token: string,
    epoch: number | undefined,
    report: JsonObject,
  ): Promise<Conflict | 'too_large' | undefined> {
    let isTooLarge = false;
    const conflict = await this.whileSeated(token, epoch, async () => {
      const seat = reported(this.#seat, report);
      isTooLarge = JSON.stringify(seat).length > MAX_SEAT_LENGTH;
      if (isTooLarge) return;
      await this.#write('worker', seat);
      this.#seat = seat;
    });
    return isTooLarge ? 'too_large' : conflict;
  }

  /** Writes what it is again: what nobody writes to is dropped for its age. */
  keep(): Promise<void> {
    return this.#inTurn(() => this.#write('session', this.#record));
  }

  archive(): Promise<void> {
    return this.#inTurn(async () => {
      const record = { ...this.#record, archived: true };
      await this.#write('session', record);
      this.#record = record;
      this.#readers.endWorkers('archived');
      this.#readers.finishViewers();
      this.#context.agents?.end(record.id);
    });
  }

  /** Stores what viewers send, and tells it to everybody. `stream` is the sender's, where its link can be resumed. */
  postFromClient(
    entries: readonly (Entry | undefined)[],
    sender: string,
    stream?: string,
  ): Promise<readonly EntryResult[]> {
    this.#needAgent();
    return this.#inTurn(() => this.#post(entries, 'client', { sender, stream }));
  }

  /** Stores what the worker sends, and tells it to the viewers. */
  async postFromWorker(
    token: string,
    epoch: number | undefined,
    entries: readonly (Entry | undefined)[],
  ): Promise<readonly EntryResult[] | Conflict> {
    let results: readonly EntryResult[] = [];
    const conflict = await this.whileSeated(token, epoch, async () => {
      results = await this.#post(entries, 'worker');
    });
    return conflict ?? results;
  }

  /** Takes the worker's word of how far it is with what viewers sent, and tells the viewers what is new in it. */
  markDelivery(token: string, epoch: number | undefined, updates: readonly unknown[]): Promise<Conflict | undefined> {
    return this.whileSeated(token, epoch, async () => {
      const news = updates.map(objectOf).filter(({ event_id, status }) => this.#delivery.mark(event_id, status));
      this.#untold.push(...news);
      if (this.#untold.length === 0) return;
      // Ahead of what is said of it: when this fails, the worker comes again with marks that are no news by then.
      await this.#checkpoint();
      for (const { event_id, status } of this.#untold.splice(0)) this.#tellDelivery(event_id, status);
    });
  }

  /** What the worker in the seat is known to have: 0 where that is nothing, or it tells marks. */
  get provedUpTo(): number {
    return this.#provedUpTo;
  }

  /** The worker has all up to this place, as its link shows; it tells no marks, so this is the last that is heard of it. */
  proveDelivery(token: string, upTo: number): Promise<Conflict | undefined> {
    return this.whileSeated(token, undefined, async () => {
      if (upTo <= this.#provedUpTo || upTo > this.#last) return;
      this.#provedUpTo = upTo;
      const arrived = this.#delivery.deliveredUpTo(upTo);
      for (const event_id of arrived) this.#tellDelivery(event_id, 'received');
      if (arrived.length > 0) await this.#checkpoint();
    });
  }

  /** Begins a stream of a viewer: everything but requests that are settled. */
  openViewer(sink: EventSink, cursor: number, { account, format = eventStreamFormat, skips }: ReaderManner = {}): void {
    this.#needAgent();
    const wants =
      skips === undefined ? this.#forViewers : (event: StoredEvent) => !skips(event) && this.#forViewers(event);
    const reader = this.#readers.addViewer({ account, sink, format, cursor, wants });
    if (this.#record.archived) reader.finish();
  }

  /** Begins the stream of the worker: what viewers sent, and of that, where the worker is fresh, what nobody has processed. */
  openWorker(sink: EventSink, cursor: number, format: StreamFormat = eventStreamFormat): EventReader {
    const fresh = cursor === 0;
    const wants = ({ id, type, source, payload }: StoredEvent) => {
      if (source === 'worker') return false;
      if (type === 'control_request') return this.#requests.isOpen('client', requestIdOf(payload), id);
      return !fresh || this.#delivery.isWaiting(id);
    };
    return this.#readers.addWorker({ sink, format, cursor, wants });
  }

  #needAgent(): void {
    if (!this.#record.archived) this.#context.agents?.need(this.#record.id);
  }

  /** One write after the other, so that what was checked still holds when it is stored, and readers are told in order. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #post(
    entries: readonly (Entry | undefined)[],
    source: Source,
    from?: { readonly sender: string; readonly stream: string | undefined },
  ): Promise<EntryResult[]> {
    const check = this.#requests.check(source);
    const refusals = entries.map((entry): EntryRefusal | undefined =>
      entry === undefined ? 'invalid_entry' : check(entry),
    );
    const attributes = from && JSON.stringify(from);
    const stored = entries
      .filter((entry, index) => entry !== undefined && refusals[index] === undefined && isKept(entry))
      .map((entry) => newEvent(entry as Entry, source, attributes));
    const appended = stored.length === 0 ? [] : await this.#context.log.append(this.#record.id, stored);
    const now = this.#context.now();

    let next = 0;
    const results = entries.map((entry, index): EntryResult => {
      const refusal = refusals[index];
      if (entry === undefined || refusal !== undefined) {
        return { ...(entry && { event_id: entry.id }), error: { type: refusal ?? 'invalid_entry' } };
      }
      if (!isKept(entry)) {
        if (entry.type !== 'keep_alive') this.#tellEphemeral(entry, source, from?.sender, now);
        return { event_id: entry.id, duplicate: false };
      }
      const event = stored[next] as NewEvent;
      const { sequence, duplicate, createdAt } = appended[next++] as (typeof appended)[number];
      if (!duplicate) this.#deliver({ ...event, sequence, createdAt });
      return { event_id: entry.id, sequence_num: sequence, duplicate };
    });
    if (this.#last - this.#checkpointed >= CHECKPOINT_EVERY) await this.#checkpoint().catch(() => {});
    return results;
  }

  /** Takes note of what was stored, and tells the readers. */
  #deliver(stored: StoredEvent): void {
    const resolution = this.#apply(stored);
    this.#readers.push(stored);
    if (resolution !== undefined) this.#tellResolved(resolution);
  }

  #apply(stored: StoredEvent): Resolution | undefined {
    const event = sessionEventOf(stored);
    this.#last = event.sequence;
    if (event.source === 'client') this.#delivery.add(event.id, event.sequence);
    return this.#requests.apply(event);
  }

  #tellEphemeral(
    { id, type, payload, text }: Entry,
    source: Source,
    sender: string | undefined,
    createdAt: number,
  ): void {
    const created_at = new Date(createdAt).toISOString();
    const event: SessionEvent = { sequence: this.#last, id, type, source, sender, payload, createdAt };
    // A request that is not kept is asked, and an answer that is not kept is an answer all the same.
    const resolution = this.#requests.apply(event);
    this.#readers.tellViewers(liveFrame('ephemeral_event', { event_type: type, source, created_at }, text));
    if (resolution !== undefined) this.#tellResolved(resolution);
  }

  #tellDelivery(event_id: unknown, status: unknown): void {
    const timestamp = new Date(this.#context.now()).toISOString();
    const data = { event_id, status: `DELIVERY_STATUS_${String(status).toUpperCase()}`, timestamp };
    this.#readers.tellViewers(liveFrame('delivery_update', data));
  }

  #tellResolved({ requestId, by, outcome }: Resolution): void {
    this.#readers.tellViewers(liveFrame('control_resolved', { request_id: requestId, by, outcome }));
  }

  /** Goes through what the log has beyond the stored state. */
  async #replay(): Promise<void> {
    for (;;) {
      const { events, missing, last } = await this.#context.log.read(this.#record.id, this.#last);
      if (missing !== undefined) this.#delivery.dropBefore((this.#last = missing.to) + 1);
      for (const event of events) this.#apply(event);
      if (this.#last >= last) return;
    }
  }

  async #checkpoint(): Promise<void> {
    const upTo = this.#last;
    await this.#write('checkpoint', { upTo, delivery: this.#delivery.state, requests: this.#requests.state });
    this.#checkpointed = upTo;
  }

  #write(name: string, value: object): Promise<void> {
    return this.#context.log.writeDocument(this.#record.id, name, JSON.stringify(value));
  }
}

/** What is stored: not what only those get who read now, and not what only proves life. */
function isKept({ type, ephemeral }: Entry): boolean {
  return !ephemeral && type !== 'keep_alive';
}

function newEvent({ id, type, text }: Entry, source: Source, attributes: string | undefined): NewEvent {
  return { id, type, source, payload: text, attributes };
}

function requestIdOf(payload: string): string | undefined {
  const message: unknown = JSON.parse(payload);
  return isObject(message) ? idOf(message['request_id']) : undefined;
}
