import { setTimeout as delay } from 'node:timers/promises';
import type { Appended, EventLogError, Retention } from '@proto/ingress/event-log';
import type { ClientBase, Pool, QueryConfig } from 'pg';
import { isPassing, storeError } from '../database.ts';
import { loadFacts } from './load-facts.ts';
import type { PendingWrite } from './pending-write.ts';
import { NeedsFacts, planStream, type StreamPlan } from './plan-stream.ts';
import { RememberedStreams, remembered, type StreamFacts } from './stream-state.ts';
import type { StoreUsage } from './usage.ts';
import { isDropping, writeStatement, writeValues } from './write-statement.ts';

/** The maximum number of events that one statement combines. A single write may be larger. */
const MAX_BATCH_EVENTS = 2000;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 1000;

export interface LaneContext {
  readonly pool: Pool;
  /** The schema name, as written in SQL. */
  readonly schema: string;
  readonly retention: Retention;
  readonly maxTotalBytes: number;
  readonly usage: StoreUsage;
  readonly now: () => number;
  /** How long writes wait for a server that does not answer, in milliseconds. */
  readonly retryMs: number;
  /** Called after a commit, with the last sequence number of a stream. */
  readonly onAppended: (stream: string, last: number) => void;
}

/**
 * Writes in order, one statement at a time. All writes that arrive while a statement runs are combined in the next statement, which usually takes one
 * round trip and one commit for all of them. Facts are read first only if this node remembers too little about a stream, or if what it remembers is
 * outdated.
 */
export class WriteLane {
  readonly #context: LaneContext;
  readonly #streams = new RememberedStreams();
  readonly #statements: { readonly adding: QueryConfig; readonly dropping: QueryConfig };
  #waiting: PendingWrite[] = [];
  #running: Promise<void> | undefined;

  constructor(context: LaneContext) {
    this.#context = context;
    const { schema } = context;
    this.#statements = {
      adding: { name: 'write', text: writeStatement(schema, false) },
      dropping: { name: 'write and drop', text: writeStatement(schema, true) },
    };
  }

  add(write: PendingWrite): void {
    this.#waiting.push(write);
    // This runs after the current turn, so that all writes of one turn form one statement.
    this.#running ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.#run());
  }

  /** Fulfils when every write has settled. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) await this.#write(this.#takeBatch());
    this.#running = undefined;
  }

  #takeBatch(): PendingWrite[] {
    let events = 0;
    let bytes = 0;
    let count = 0;
    for (const { work, growth } of this.#waiting) {
      events += work.kind === 'append' ? work.events.length : 1;
      bytes += growth;
      if (count > 0 && (events > MAX_BATCH_EVENTS || bytes > MAX_BATCH_BYTES)) break;
      count++;
    }
    return this.#waiting.splice(0, count);
  }

  async #write(batch: readonly PendingWrite[]): Promise<void> {
    let open = byStream(batch);
    let attempts = 0;
    let wait = FIRST_RETRY_MS;
    const end = performance.now() + this.#context.retryMs;
    while (open.size > 0) {
      try {
        open = await this.#attempt(open, attempts++ > 0);
      } catch (cause) {
        // It is unknown whether the statement was committed. The remembered facts may be wrong, so they are read again.
        for (const name of open.keys()) this.#streams.delete(name);
        if (!isPassing(cause) || performance.now() > end) return refuse(open, storeError(cause));
        await delay(wait);
        wait = Math.min(2 * wait, MAX_RETRY_MS);
      }
    }
  }

  /**
   * Writes as much as possible with one statement. Returns the remaining writes.
   * @param locks whether to lock the streams before the decision. The first attempt does not lock them. Later attempts do, because a node that writes
   * all the time could otherwise always be first.
   */
  async #attempt(open: Map<string, PendingWrite[]>, locks: boolean): Promise<Map<string, PendingWrite[]>> {
    const { usage, pool } = this.#context;
    await usage.refresh(batchGrowth(open));
    const work = (database: Database) => this.#execute(open, database);
    const { plans, held } = locks ? await inTransaction(pool, work) : await work(pool);
    const left = new Map<string, PendingWrite[]>();
    for (const plan of plans) {
      const holds = plan.answers.size === 0 || held.has(plan.before.id);
      const rest = holds ? this.#settle(plan) : this.#discard(plan, open.get(plan.name) ?? []);
      if (rest.length > 0) left.set(plan.name, [...rest]);
    }
    return left;
  }

  /** Plans the writes, and runs the statement. `held` contains the streams that the statement wrote. */
  async #execute(open: Open, database: Database): Promise<{ plans: StreamPlan[]; held: Set<number> }> {
    const { usage, retention, now } = this.#context;
    const cutoff = now() - retention.maxAgeMs;
    const plans = await this.#plan(open, database, cutoff);
    const written = plans.filter(({ answers }) => answers.size > 0);
    const held = new Set<number>();
    if (written.length === 0) return { plans, held };
    const settle = usage.reserve(bytesOf(written));
    try {
      noteAttempt(written);
      const values = writeValues(written, cutoff);
      const statement = this.#statements[written.some(isDropping) ? 'dropping' : 'adding'];
      const { rows } = await database.query<{ readonly id: number }>({ ...statement, values });
      for (const { id } of rows) held.add(id);
    } finally {
      settle(bytesOf(written.filter(({ before }) => held.has(before.id))));
    }
    return { plans, held };
  }

  /** Plans each stream from the remembered facts, and reads the facts of the streams for which they are not enough. */
  async #plan(open: Open, database: Database, cutoff: number): Promise<StreamPlan[]> {
    const { pool, schema, retention, maxTotalBytes, usage, now } = this.#context;
    const locks = database !== pool;
    let planned = 0;
    const context = { now: now(), retention, maxTotalBytes, allows: (bytes: number) => usage.allows(planned + bytes) };
    const plans: StreamPlan[] = [];
    const unknown = new Map<string, readonly PendingWrite[]>();
    const planWith = (facts: StreamFacts, name: string, writes: readonly PendingWrite[]) => {
      const plan = planStream(name, facts, writes, context);
      planned += plan.growth.bytes;
      plans.push(plan);
    };
    for (const [name, writes] of open) {
      const state = locks ? undefined : this.#streams.get(name);
      try {
        if (state === undefined) throw new NeedsFacts();
        planWith(remembered(state), name, writes);
      } catch (error) {
        if (!(error instanceof NeedsFacts)) throw error;
        unknown.set(name, writes);
      }
    }
    if (unknown.size === 0) return plans;
    const facts = await loadFacts({ database, locks, schema, cutoff, maxBytes: retention.maxBytes }, unknown);
    for (const [name, writes] of unknown) planWith(facts.get(name) as StreamFacts, name, writes);
    return plans;
  }

  #settle(plan: StreamPlan): readonly PendingWrite[] {
    const { name, answers, stored, refusals, later } = plan;
    if (plan.isRemoved) this.#streams.delete(name);
    else if (answers.size > 0) this.#streams.set(name, plan.after);
    if (plan.events.length > 0) this.#context.onAppended(name, plan.after.last);
    for (const [write, answer] of [...stored, ...answers]) write.resolve(answer);
    for (const [write, error] of refusals) write.reject(error);
    return later;
  }

  /** Called if another writer has changed the stream first. Returns the writes that are not stored yet, which are then planned again. */
  #discard({ name, stored }: StreamPlan, writes: readonly PendingWrite[]): readonly PendingWrite[] {
    this.#streams.delete(name);
    for (const [write, answer] of stored) write.resolve(answer);
    const left = writes.filter((write) => !stored.has(write));
    for (const write of left) write.attempted = undefined;
    return left;
  }
}

type Database = Pool | ClientBase;
type Open = ReadonlyMap<string, readonly PendingWrite[]>;

async function inTransaction<Result>(pool: Pool, work: (client: ClientBase) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((cause: Error) => (broken = cause));
    throw error;
  } finally {
    client.release(broken);
  }
}

function bytesOf(plans: readonly StreamPlan[]): number {
  return plans.reduce((sum, { growth }) => sum + growth.bytes, 0);
}

function byStream(batch: readonly PendingWrite[]): Map<string, PendingWrite[]> {
  const writes = new Map<string, PendingWrite[]>();
  for (const write of batch) {
    const ofStream = writes.get(write.stream);
    if (ofStream === undefined) writes.set(write.stream, [write]);
    else ofStream.push(write);
  }
  return writes;
}

function batchGrowth(open: Open): number {
  let bytes = 0;
  for (const writes of open.values()) for (const { growth } of writes) bytes += growth;
  return bytes;
}

/** Records the results that a statement has if it commits, in case its own answer is lost. */
function noteAttempt(plans: readonly StreamPlan[]): void {
  for (const { answers } of plans) {
    for (const [write, answer] of answers) {
      if (write.work.kind === 'append') write.attempted = answer as readonly Appended[];
    }
  }
}

function refuse(open: Open, error: EventLogError): void {
  for (const writes of open.values()) for (const write of writes) write.reject(error);
}
