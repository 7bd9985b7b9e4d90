import type { JsonObject } from '../json/values.ts';
import type { Appended, EventLog, NewEvent } from '../log/event-log.ts';
import { storedEvent } from '../log/store-rules.ts';
import type { EventReader, Reading, Wants } from '../stream/event-reader.ts';
import type { EventSink } from '../stream/event-sink.ts';
import { eventStreamFormat, type StreamFormat, viewerEventStreamFormat } from '../stream/stream-format.ts';
import type { Entry, EntryRefusal, EntryResult } from './entry.ts';
import { isKept, type Plan, type PlanContext, planEntry } from './plan-entry.ts';
import type { ClientSender, Sender } from './sender.ts';
import type { AgentFailure, ReaderManner, SessionContext, SessionRecord } from './session-context.ts';
import { SessionNews } from './session-news.ts';
import { type SessionQuestions, watchQuestions } from './session-questions.ts';
import { SessionState } from './session-state.ts';
import { Skipped } from './skipped.ts';
import { readState, type StoredState } from './stored-state.ts';
import { Subscribers } from './subscribers.ts';
import { Turns } from './turns.ts';
import { endingRequests, unlessSkipped, wantedByViewers, wantedByWorker } from './wanted-events.ts';
import { type Conflict, conflictOf, mergeReport, noLease, type WorkerState } from './worker-lease.ts';

/** An approver's answer may be this much longer than the longest open request: 1 MiB. */
const ANSWER_SPARE_BYTES = 1024 * 1024;

const WORKER: Sender = { source: 'worker' };

/**
 * One session: its log, its worker, its open requests and its subscribers. Subscribers receive an event after it is stored, never before. The state
 * is derived from the log, and the stored copy of the state only makes loading faster.
 */
export class Session {
  readonly #context: SessionContext;
  readonly #subscribers: Subscribers;
  #record: SessionRecord;
  #worker: WorkerState;
  readonly #state: SessionState;
  readonly #news: SessionNews;
  readonly #questions: SessionQuestions | undefined;
  readonly #skipped: Skipped;
  #deliveredUpTo = 0;
  #isLost = false;
  /** Writes run one after the other, so that a check is still valid when its event is stored, and subscribers receive events in order. */
  readonly #turns = new Turns();
  readonly #planning: PlanContext;
  readonly #forViewers: Wants;

  private constructor(
    context: SessionContext,
    record: SessionRecord,
    worker: WorkerState,
    stored?: Pick<StoredState, 'checkpoint' | 'initialization' | 'reported'>,
  ) {
    this.#context = context;
    this.#record = record;
    this.#worker = worker;
    this.#state = new SessionState(context.log, record.id, stored);
    this.#forViewers = wantedByViewers(this.#state);
    this.#skipped = new Skipped(record.id, context.onError);
    this.#subscribers = new Subscribers({
      ...context,
      stream: record.id,
      pushed: () => this.#state.last,
      endsRequest: endingRequests(this.#state),
      onDamaged: (sequence) => this.#skipped.row(sequence),
    });
    const { requests, initialization } = this.#state;
    this.#planning = { ...context, session: record.id, requests, initialization };
    this.#questions = watchQuestions(context, record, requests, stored?.reported);
    this.#news = new SessionNews(this.#subscribers, this.#state, context.now, this.#questions);
  }

  static async create(context: SessionContext, record: SessionRecord): Promise<Session> {
    const session = new Session(context, record, noLease);
    await session.#write('session', record);
    context.agents?.need(record.id);
    return session;
  }

  /** Loads a session from the log; undefined if the log has no such session. Damaged parts are left out and reported to `onError`. */
  static async load(context: SessionContext, id: string): Promise<Session | undefined> {
    const state = await readState(context, id);
    if (state === undefined) return undefined;
    const session = new Session(context, state.record, state.worker, state);
    for (const name of state.damaged) session.#skipped.add(`the stored document "${name}"`);
    await session.#state.replay((sequence) => session.#skipped.row(sequence));
    session.#questions?.readAll();
    // An agent on another node has already ended, or must end now.
    const { node = context.node } = state.worker;
    if (context.node !== undefined && node !== context.node) await session.#giveLease('');
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

  /** How many rows of the log and entries of the worker were left out as unusable since this session was loaded. */
  get skipped(): number {
    return this.#skipped.count;
  }

  /** The largest answer that an approver may send, in bytes. An answer is not much longer than its request. */
  get maxAnswerBytes(): number {
    return this.#state.requests.longestBytes + ANSWER_SPARE_BYTES;
  }

  /** Why this session has no agent that could receive what clients send; undefined if it has an agent. */
  get agentFailure(): AgentFailure | undefined {
    return this.#context.agents?.failureOf(this.#record.id);
  }

  get subscribers(): Omit<
    Subscribers,
    'addViewer' | 'addWorker' | 'push' | 'sendToViewers' | 'endWorkers' | 'finishViewers'
  > {
    return this.#subscribers;
  }

  /** The log of this session. Writes are refused when another node may own the session. */
  get log(): EventLog {
    return this.#context.log;
  }

  /** Ends all streams, because another node may own this session. Every new stream is ended immediately, so that its client connects again. */
  lose(): void {
    this.#isLost = true;
    this.#subscribers.endAll();
    this.#context.notifier?.lost(this.#record.id);
    const { agents } = this.#context;
    (agents?.lose ?? agents?.end)?.call(agents, this.#record.id);
  }

  /** Why a worker may not act; see `conflictOf`. */
  conflict(token: string, claimed?: number): Conflict | undefined {
    return this.#record.archived ? 'session_not_active' : conflictOf(this.#worker, token, claimed);
  }

  /**
   * Grants the lease to a token under a new epoch. The worker that had the lease before loses the lease. With `isOfNode`, the worker is an agent of
   * this node, which loses the lease as soon as another node owns the session.
   */
  claimLease(token: string, isOfNode = false): Promise<number> {
    return this.#turns.take(async () => {
      await this.#giveLease(token, isOfNode ? this.#context.node : undefined);
      this.#deliveredUpTo = 0;
      this.#subscribers.endWorkers('superseded');
      return this.#worker.epoch;
    });
  }

  /** Runs a worker's work after all earlier writes, unless the worker has lost its lease. Returns the result, or why the worker lost the lease. */
  withLease<Result>(token: string, epoch: number | undefined, work: () => Promise<Result>): Promise<Result | Conflict> {
    return this.#turns.take(() => this.conflict(token, epoch) ?? work());
  }

  /** Merges a report of the worker into its state, unless the state would be too large. */
  report(token: string, epoch: number | undefined, report: JsonObject): Promise<Conflict | 'too_large' | undefined> {
    return this.withLease(token, epoch, async () => {
      const merged = mergeReport(this.#worker, report);
      if (merged === undefined) return 'too_large';
      await this.#context.log.writeDocument(this.#record.id, 'worker', merged.text);
      this.#worker = merged.worker;
      return undefined;
    });
  }

  /** Writes the record of the session again, because the store drops a stream that has not been written to for a long time. */
  keep(): Promise<void> {
    return this.#turns.take(() => this.#write('session', this.#record));
  }

  archive(): Promise<void> {
    return this.#turns.take(async () => {
      const record = { ...this.#record, archived: true };
      await this.#write('session', record);
      this.#record = record;
      this.#subscribers.endWorkers('archived');
      this.#subscribers.finishViewers();
      this.#context.agents?.end(record.id);
      this.#context.notifier?.ended(record.id);
    });
  }

  /** Stores the messages of a client, and sends them to all subscribers. */
  postFromClient(posted: readonly (Entry | EntryRefusal)[], sender: ClientSender): Promise<readonly EntryResult[]> {
    if (sender.role === 'driver') this.#needAgent();
    return this.#turns.take(() => this.#post(posted, sender));
  }

  /** Stores the messages of the worker, and sends them to the viewers. */
  postFromWorker(
    token: string,
    epoch: number | undefined,
    posted: readonly (Entry | EntryRefusal)[],
  ): Promise<readonly EntryResult[] | Conflict> {
    return this.withLease(token, epoch, () => {
      for (const entry of posted)
        if (typeof entry === 'string') this.#skipped.add(`an entry from the worker (${entry})`);
      return this.#post(posted, WORKER);
    });
  }

  /** Stores the worker's reports on how far it has processed the clients' events, and sends this news to the viewers. */
  markDelivery(token: string, epoch: number | undefined, updates: readonly unknown[]): Promise<Conflict | undefined> {
    return this.withLease(token, epoch, async () => {
      this.#news.publishDelivery(await this.#state.markDelivery(updates));
      return undefined;
    });
  }

  /** The sequence number of the last event that the worker with the lease is known to have received over its link; 0 if there is none. */
  get deliveredUpTo(): number {
    return this.#deliveredUpTo;
  }

  /** Records that the worker's link has delivered all events up to this position. Used for workers that send no delivery marks. */
  proveDelivery(token: string, upTo: number): Promise<Conflict | undefined> {
    return this.withLease(token, undefined, async () => {
      if (upTo <= this.#deliveredUpTo || upTo > this.#state.last) return undefined;
      this.#deliveredUpTo = upTo;
      this.#news.publishDelivery(await this.#state.markDeliveredUpTo(upTo));
      return undefined;
    });
  }

  /** Begins a viewer's stream, which contains all events except requests that are already settled. */
  openViewer(sink: EventSink, cursor: Reading['cursor'], manner: ReaderManner = {}): void {
    if (manner.account?.role === 'driver') this.#needAgent();
    const wants = unlessSkipped(this.#forViewers, manner.skips);
    const reader = this.#subscribers.addViewer({ format: viewerEventStreamFormat, ...manner, sink, cursor, wants });
    if (this.#record.archived) reader.finish();
    if (this.#isLost) this.#subscribers.endAll();
  }

  /** Begins the worker's stream of what clients sent. Without a cursor, it contains only events that no worker has processed yet. */
  openWorker(sink: EventSink, cursor: Reading['cursor'], format: StreamFormat = eventStreamFormat): EventReader {
    const wants = wantedByWorker(this.#state, cursor.sequence);
    const reader = this.#subscribers.addWorker({ sink, format, cursor, wants });
    if (this.#isLost) this.#subscribers.endAll();
    return reader;
  }

  async #giveLease(holder: string, node?: string): Promise<void> {
    const worker = { ...this.#worker, epoch: this.#worker.epoch + 1, holder, node };
    await this.#write('worker', worker);
    this.#worker = worker;
  }

  #needAgent(): void {
    if (!this.#record.archived && !this.#isLost) this.#context.agents?.need(this.#record.id);
  }

  async #post(posted: readonly (Entry | EntryRefusal)[], sender: Sender): Promise<readonly EntryResult[]> {
    const check = this.#state.requests.check(sender.source);
    const plans: Plan[] = [];
    const events: NewEvent[] = [];
    for (const entry of posted) {
      const planning = planEntry(this.#planning, entry, sender, check);
      const plan = planning instanceof Promise ? await planning : planning;
      plans.push(plan);
      for (const { event } of plan.events) events.push(event);
    }
    const appended = events.length === 0 ? [] : await this.#context.log.append(this.#record.id, events);
    let next = 0;
    const results = plans.map((plan) => this.#carryOut(plan, appended, (next += plan.events.length), sender));
    const keeping = this.#state.keep();
    if (keeping !== undefined) await keeping;
    return results;
  }

  /** Publishes the stored events of a plan. The results of these events are in `appended`, before the index `end`. */
  #carryOut({ entry, refusal, events }: Plan, appended: readonly Appended[], end: number, sender: Sender): EntryResult {
    const start = end - events.length;
    events.forEach(({ event, payload }, index) => {
      const kept = appended[start + index] as Appended;
      if (!kept.duplicate && kept.taken !== true) this.#news.publishStored(storedEvent(event, kept), payload);
    });
    if (entry === undefined || refusal !== undefined) {
      return { ...(entry && { event_id: entry.id }), error: { type: refusal ?? 'invalid_entry' } };
    }
    if (events.length === 0) {
      if (!isKept(entry) && entry.type !== 'keep_alive') this.#news.publishEphemeral(entry, sender);
      return { event_id: entry.id, duplicate: false };
    }
    const first = appended[start] as Appended;
    if (first.taken === true) return { event_id: entry.id, error: { type: 'event_id_taken' } };
    return { event_id: first.id, sequence_num: first.sequence, duplicate: first.duplicate };
  }

  #write(name: string, value: object): Promise<void> {
    return this.#context.log.writeDocument(this.#record.id, name, JSON.stringify(value));
  }
}
