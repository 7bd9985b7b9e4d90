import { requestIdOf } from '@proto/core/internal';
import { idOf, type JsonObject } from '../json/values.ts';
import type { Appended, StoredEvent } from '../log/event-log.ts';
import type { EventReader } from '../stream/event-reader.ts';
import type { EventSink } from '../stream/event-sink.ts';
import { eventStreamFormat, liveFrame, type ReadableEvent, type StreamFormat } from '../stream/stream-format.ts';
import type { Resolution } from './control-requests.ts';
import type { Entry, EntryRefusal, EntryResult } from './entry.ts';
import { isKept, type Plan, planPost } from './posting.ts';
import type { ClientSender, Sender } from './sender.ts';
import type { AgentFailure, ReaderManner, SessionContext, SessionRecord } from './session-context.ts';
import { type SessionEvent, sessionEventOf } from './session-event.ts';
import { SessionState } from './session-state.ts';
import { Skipped } from './skipped.ts';
import { readState, type StoredState } from './stored-state.ts';
import { Subscribers } from './subscribers.ts';
import {
  type Conflict,
  conflictOf,
  hasTooMuchMetadata,
  noLease,
  withReport,
  type WorkerState,
} from './worker-lease.ts';

/** What is known of a worker, in UTF-16 units: reports add to it, one after the other. */
const MAX_WORKER_STATE_LENGTH = 16 * 1024 * 1024;
/** An approver may send this much more than the longest request that is open has: 1 MiB. */
const ANSWER_SPARE_BYTES = 1024 * 1024;

/**
 * One session: its log, its worker, its open requests, and who reads it now. What is stored is told to the readers afterwards, never
 * before; the state follows from the log, and what is stored of it only spares going through all of it.
 */
export class Session {
  readonly #context: SessionContext;
  readonly #subscribers: Subscribers;
  #record: SessionRecord;
  #worker: WorkerState;
  readonly #state: SessionState;
  readonly #skipped: Skipped;
  /** What the worker with the lease is known to have, of those that tell no marks. */
  #provedUpTo = 0;
  #turn: Promise<unknown> = Promise.resolve();
  readonly #forViewers = ({ id, type, source, requestId }: ReadableEvent) =>
    type !== 'control_request' || source !== 'worker' || this.#state.requests.isOpen('worker', requestId, id);

  private constructor(
    context: SessionContext,
    record: SessionRecord,
    worker: WorkerState,
    stored?: Pick<StoredState, 'checkpoint' | 'initialization'>,
  ) {
    this.#context = context;
    this.#record = record;
    this.#worker = worker;
    this.#state = new SessionState(context.log, record.id, stored);
    this.#skipped = new Skipped(record.id, context.onError);
    this.#subscribers = new Subscribers({
      ...context,
      stream: record.id,
      pushed: () => this.#state.last,
      onDamaged: (sequence) => this.#skipped.row(sequence),
    });
  }

  /** Stores a new session. */
  static async create(context: SessionContext, record: SessionRecord): Promise<Session> {
    const session = new Session(context, record, noLease);
    await session.#write('session', record);
    context.agents?.need(record.id);
    return session;
  }

  /** Makes a session from what the log has of it; undefined where it has none. What is damaged is left out, told and not missed. */
  static async load(context: SessionContext, id: string): Promise<Session | undefined> {
    const state = await readState(context, id);
    if (state === undefined) return undefined;
    const session = new Session(context, state.record, state.worker, state);
    for (const name of state.damaged) session.#skipped.add(`what is kept as "${name}"`);
    await session.#state.replay((sequence) => session.#skipped.row(sequence));
    return session;
  }

  get record(): SessionRecord {
    return this.#record;
  }

  get worker(): WorkerState {
    return this.#worker;
  }

  get openRequests(): number {
    return this.#state.requests.size;
  }

  /** How much of the log and of what the worker sent could not be used, since this session was loaded. */
  get skipped(): number {
    return this.#skipped.count;
  }

  /** The largest answer that an approver may send, in bytes: an answer is not much longer than its request. */
  get maxAnswerBytes(): number {
    return this.#state.requests.longestBytes + ANSWER_SPARE_BYTES;
  }

  /** Why nobody will take what clients send. */
  get agentFailure(): AgentFailure | undefined {
    return this.#context.agents?.failureOf(this.#record.id);
  }

  /** The event streams that are open now. */
  get subscribers(): Pick<Subscribers, 'viewers' | 'size' | 'keepAlive' | 'endRevoked' | 'endAll'> {
    return this.#subscribers;
  }

  /** Why a worker may not act; see `conflictOf`. */
  conflict(token: string, claimed?: number): Conflict | undefined {
    return this.#record.archived ? 'session_not_active' : conflictOf(this.#worker, token, claimed);
  }

  /** Gives the lease to a token under a new epoch; whoever had it is out. */
  claimLease(token: string): Promise<number> {
    return this.#inTurn(async () => {
      const worker = { ...this.#worker, epoch: this.#worker.epoch + 1, holder: token };
      await this.#write('worker', worker);
      this.#worker = worker;
      this.#provedUpTo = 0;
      this.#subscribers.endWorkers('superseded');
      return worker.epoch;
    });
  }

  /** Does the work of a worker in its turn, unless the worker has lost its lease. */
  withLease(token: string, epoch: number | undefined, work: () => Promise<void>): Promise<Conflict | undefined> {
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
    const conflict = await this.withLease(token, epoch, async () => {
      const worker = withReport(this.#worker, report);
      const text = hasTooMuchMetadata(worker) ? undefined : JSON.stringify(worker);
      isTooLarge = text === undefined || text.length > MAX_WORKER_STATE_LENGTH;
      if (text === undefined || isTooLarge) return;
      await this.#context.log.writeDocument(this.#record.id, 'worker', text);
      this.#worker = worker;
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
      this.#subscribers.endWorkers('archived');
      this.#subscribers.finishViewers();
      this.#context.agents?.end(record.id);
    });
  }

  /** Stores what a client sends, and tells it to everybody. */
  postFromClient(posted: readonly (Entry | EntryRefusal)[], sender: ClientSender): Promise<readonly EntryResult[]> {
    if (sender.role === 'driver') this.#needAgent();
    return this.#inTurn(() => this.#post(posted, sender));
  }

  /** Stores what the worker sends, and tells it to the viewers. */
  async postFromWorker(
    token: string,
    epoch: number | undefined,
    posted: readonly (Entry | EntryRefusal)[],
  ): Promise<readonly EntryResult[] | Conflict> {
    let results: readonly EntryResult[] = [];
    const conflict = await this.withLease(token, epoch, async () => {
      for (const entry of posted) if (typeof entry === 'string') this.#skipped.add(`an entry of the worker (${entry})`);
      results = await this.#post(posted, { source: 'worker' });
    });
    return conflict ?? results;
  }

  /** Takes the worker's word of how far it is with what viewers sent, and tells the viewers what is new in it. */
  markDelivery(token: string, epoch: number | undefined, updates: readonly unknown[]): Promise<Conflict | undefined> {
    return this.withLease(token, epoch, async () => {
      this.#tellDelivery(await this.#state.markDelivery(updates));
    });
  }

  /** What the worker with the lease is known to have: 0 where that is nothing, or it tells marks. */
  get provedUpTo(): number {
    return this.#provedUpTo;
  }

  /** The worker has all up to this place, as its link shows; it tells no marks, so this is the last that is heard of it. */
  proveDelivery(token: string, upTo: number): Promise<Conflict | undefined> {
    return this.withLease(token, undefined, async () => {
      if (upTo <= this.#provedUpTo || upTo > this.#state.last) return;
      this.#provedUpTo = upTo;
      this.#tellDelivery(await this.#state.markDeliveredUpTo(upTo));
    });
  }

  /** Begins a stream of a viewer: everything but requests that are settled. */
  openViewer(sink: EventSink, cursor: number, { account, format = eventStreamFormat, skips }: ReaderManner = {}): void {
    if (account?.role === 'driver') this.#needAgent();
    const wants =
      skips === undefined ? this.#forViewers : (event: ReadableEvent) => !skips(event) && this.#forViewers(event);
    const reader = this.#subscribers.addViewer({ account, sink, format, cursor, wants });
    if (this.#record.archived) reader.finish();
  }

  /** Begins the stream of the worker: what viewers sent, and of that, where the worker is fresh, what nobody has processed. */
  openWorker(sink: EventSink, cursor: number, format: StreamFormat = eventStreamFormat): EventReader {
    const fresh = cursor === 0;
    const wants = ({ id, type, source, requestId }: ReadableEvent) => {
      if (source === 'worker') return false;
      if (type === 'control_request') return this.#state.requests.isOpen('client', requestId, id);
      return !fresh || this.#state.delivery.isWaiting(id);
    };
    return this.#subscribers.addWorker({ sink, format, cursor, wants });
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

  async #post(posted: readonly (Entry | EntryRefusal)[], sender: Sender): Promise<readonly EntryResult[]> {
    const { log, answerRate } = this.#context;
    const { requests, initialization } = this.#state;
    const context = { log, session: this.#record.id, requests, initialization, answerRate };
    const plans = await planPost(context, posted, sender);
    const events = plans.flatMap((plan) => plan.events.map(({ event }) => event));
    const appended = events.length === 0 ? [] : await log.append(this.#record.id, events);
    let next = 0;
    const results = plans.map((plan) => {
      const kept = appended.slice(next, (next += plan.events.length));
      return this.#carryOut(plan, kept, sender);
    });
    await this.#state.keep();
    return results;
  }

  /** Tells the readers of what was stored, or was not to be, and gives the result of the entry. */
  #carryOut({ entry, refusal, events }: Plan, kept: readonly Appended[], sender: Sender): EntryResult {
    events.forEach(({ event, payload }, index) => {
      const { id, sequence, createdAt, duplicate, taken } = kept[index] as Appended;
      if (!duplicate && taken !== true) this.#deliver({ ...event, id, sequence, createdAt }, payload);
    });
    if (entry === undefined || refusal !== undefined) {
      return { ...(entry && { event_id: entry.id }), error: { type: refusal ?? 'invalid_entry' } };
    }
    const [first] = kept;
    if (first === undefined) {
      if (!isKept(entry) && entry.type !== 'keep_alive') this.#tellEphemeral(entry, sender);
      return { event_id: entry.id, duplicate: false };
    }
    if (first.taken === true) return { event_id: entry.id, error: { type: 'event_id_taken' } };
    return { event_id: first.id, sequence_num: first.sequence, duplicate: first.duplicate };
  }

  /** Takes note of what was stored, and tells the readers. */
  #deliver(stored: StoredEvent, payload: JsonObject): void {
    const event = sessionEventOf(stored, payload);
    const resolution = this.#state.apply(event, stored.payload);
    const requestId = event.type === 'control_request' ? idOf(requestIdOf(payload)) : undefined;
    this.#subscribers.push({ ...stored, requestId });
    if (resolution !== undefined) this.#tellResolved(resolution);
  }

  #tellEphemeral({ id, type, payload, text }: Entry, sender: Sender): void {
    const createdAt = this.#context.now();
    const { source } = sender;
    const event: SessionEvent = {
      sequence: this.#state.last,
      id,
      type,
      source,
      sender: sender.source === 'client' ? sender.name : undefined,
      payload,
      createdAt,
      isKept: false,
      isForWorker: source === 'client',
    };
    // Ephemeral requests are still asked, and ephemeral answers still resolve them.
    const resolution = this.#state.apply(event, text);
    const created_at = new Date(createdAt).toISOString();
    this.#subscribers.tellViewers(liveFrame('ephemeral_event', { event_type: type, source, created_at }, text));
    if (resolution !== undefined) this.#tellResolved(resolution);
  }

  #tellDelivery(news: readonly JsonObject[]): void {
    for (const { event_id, status } of news) {
      const timestamp = new Date(this.#context.now()).toISOString();
      const data = { event_id, status: `DELIVERY_STATUS_${String(status).toUpperCase()}`, timestamp };
      this.#subscribers.tellViewers(liveFrame('delivery_update', data));
    }
  }

  #tellResolved({ requestId, by, outcome }: Resolution): void {
    this.#subscribers.tellViewers(liveFrame('control_resolved', { request_id: requestId, by, outcome }));
  }

  #write(name: string, value: object): Promise<void> {
    return this.#context.log.writeDocument(this.#record.id, name, JSON.stringify(value));
  }
}
