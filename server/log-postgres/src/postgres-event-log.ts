import {
  type EventLog,
  EventLogError,
  eventLogDefaults,
  type EventLogOptions,
  type NewEvent,
} from '@proto/ingress/event-log';
import type { Pool } from 'pg';
import { PostgresClaims } from './claims.ts';
import { connectionConfig, openPool, storeError } from './database.ts';
import { checkDurability } from './durability.ts';
import { Expiry } from './expiry.ts';
import { type DurabilityWarning, postgresDefaults, type PostgresOptions } from './options.ts';
import { Notifications } from './notifications.ts';
import { PostgresReads } from './reads.ts';
import { checkSchema, identityOf, quoted } from './schema.ts';
import { StoreUsage } from './write/usage.ts';
import { Writes } from './write/writes.ts';

/** How an event log on PostgreSQL is opened. */
export interface PostgresEventLogOptions extends PostgresOptions, EventLogOptions {
  /**
   * How long a write waits for a server that breaks connections or does not answer, for example during a restart, in milliseconds. If a write may
   * have been committed, the node checks whether it was, so that the write is stored only once. Default 15 000.
   */
  readonly retryMs?: number;
  /** Called before the log is opened, for each server setting with which acknowledged writes may be lost. */
  readonly onWarning?: (warning: DurabilityWarning) => void;
}

const DEFAULT_RETRY_MS = 15_000;

/**
 * Opens the event log of one node on a database whose tables were created by `migratePostgres`. A settled write has been committed with at least
 * `synchronous_commit = on`. Claims are measured by the server's clock, and events get their time from the node's clock.
 * @throws EventLogError `version` if the tables are missing or belong to another version of this package; `failed` if the server cannot be used.
 * @throws {RangeError} for a time that is negative or not a number, and for a `statementTimeoutMs` of 0
 */
export async function openPostgresEventLog(options: PostgresEventLogOptions): Promise<EventLog> {
  checkTimes(options);
  const pool = openPool(options);
  const schema = options.schema ?? postgresDefaults.schema;
  let identity: string;
  try {
    const client = await pool.connect();
    try {
      await checkSchema(client, schema);
      identity = await identityOf(client, schema);
      for (const warning of await checkDurability(client)) options.onWarning?.(warning);
    } finally {
      client.release();
    }
  } catch (error) {
    await pool.end();
    throw storeError(error);
  }
  return new PostgresEventLog(pool, identity, options);
}

/** The value that represents `maxAgeMs: Infinity` in the tables, whose times are integers. */
const FOR_EVER_MS = 2 ** 52;

function checkTimes({ maxAgeMs = 0, retryMs = 0, statementTimeoutMs = 1 }: PostgresEventLogOptions): void {
  const times = { maxAgeMs, retryMs, statementTimeoutMs };
  for (const [name, ms] of Object.entries(times)) {
    const isValid = typeof ms === 'number' && (name === 'statementTimeoutMs' ? ms > 0 : ms >= 0);
    if (!isValid) throw new RangeError(`${name} must be a number of milliseconds, not ${String(ms)}`);
  }
}

class PostgresEventLog implements EventLog {
  readonly identity: string;
  readonly #pool: Pool;
  readonly #reads: PostgresReads;
  readonly #claims: PostgresClaims;
  readonly #notifications: Notifications;
  readonly #usage: StoreUsage;
  readonly #writes: Writes;
  readonly #expiry: Expiry;
  #closing: Promise<void> | undefined;

  constructor(pool: Pool, identity: string, options: PostgresEventLogOptions) {
    const { now = Date.now, maxBytes = eventLogDefaults.maxBytes } = options;
    const maxAgeMs = Math.min(options.maxAgeMs ?? eventLogDefaults.maxAgeMs, FOR_EVER_MS);
    const { maxTotalBytes = eventLogDefaults.maxTotalBytes, retryMs = DEFAULT_RETRY_MS } = options;
    const name = options.schema ?? postgresDefaults.schema;
    const schema = quoted(name);
    this.#pool = pool;
    this.identity = identity;
    this.#reads = new PostgresReads(pool, schema);
    this.#claims = new PostgresClaims(pool, schema, options.now);
    const config = connectionConfig(options);
    this.#notifications = new Notifications({ reads: this.#reads, pool, schema: name, config });
    this.#usage = new StoreUsage(pool, schema, maxTotalBytes);
    const onAppended = (stream: string, last: number) => this.#notifications.announce(stream, last);
    const retention = { maxAgeMs, maxBytes };
    this.#writes = new Writes({
      pool,
      schema,
      retention,
      maxTotalBytes,
      usage: this.#usage,
      now,
      retryMs,
      onAppended,
    });
    this.#expiry = new Expiry({
      pool,
      schema,
      writes: this.#writes,
      usage: this.#usage,
      claims: this.#claims,
      now,
      maxAgeMs,
    });
  }

  commonWith(stream: string, identity: string): Promise<number> {
    return this.#use(async () => (identity === this.identity ? Infinity : this.#reads.commonWith(stream, identity)));
  }

  append(...[stream, events, condition = {}]: Parameters<EventLog['append']>): ReturnType<EventLog['append']> {
    return this.#use(() =>
      this.#writes.write(stream, { kind: 'append', events }, { condition, growth: sizeOf(events) }),
    ) as ReturnType<EventLog['append']>;
  }

  async writeDocument(...[stream, name, text, condition = {}]: Parameters<EventLog['writeDocument']>): Promise<void> {
    const growth = Buffer.byteLength(text);
    await this.#use(() => this.#writes.write(stream, { kind: 'document', name, text }, { condition, growth }));
  }

  read(...[stream, after, limits]: Parameters<EventLog['read']>): ReturnType<EventLog['read']> {
    return this.#use(() => this.#reads.read(stream, after, limits));
  }

  find(stream: string, id: string): ReturnType<EventLog['find']> {
    return this.#use(() => this.#reads.find(stream, id));
  }

  readDocument(stream: string, name: string): ReturnType<EventLog['readDocument']> {
    return this.#use(() => this.#reads.readDocument(stream, name));
  }

  async *tail(stream: string, after: number, signal: AbortSignal): AsyncGenerator<number, void> {
    if (this.#closing !== undefined) return;
    try {
      yield* this.#notifications.tail(stream, after, signal);
    } catch (error) {
      throw storeError(error);
    }
  }

  claim(stream: string, node: string, ttlMs: number): ReturnType<EventLog['claim']> {
    return this.#use(() => this.#claims.claim(stream, node, ttlMs));
  }

  release(stream: string, epoch: number): Promise<void> {
    return this.#use(() => this.#claims.release(stream, epoch));
  }

  expire(): Promise<void> {
    return this.#use(() => this.#expiry.expire());
  }

  listStreams(query: Parameters<EventLog['listStreams']>[0]): Promise<readonly string[]> {
    return this.#use(() => this.#reads.listStreams(query));
  }

  usage(): ReturnType<EventLog['usage']> {
    return this.#use(() => this.#usage.read());
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    await this.#writes.settled();
    await this.#notifications.close();
    await this.#pool.end();
  }

  async #use<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#checkOpen();
    try {
      return await work();
    } catch (error) {
      throw storeError(error);
    }
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw new EventLogError('closed', 'event log: the log is closed');
  }
}

function sizeOf(events: readonly NewEvent[]): number {
  let bytes = 0;
  for (const { payload } of events) bytes += Buffer.byteLength(payload);
  return bytes;
}
