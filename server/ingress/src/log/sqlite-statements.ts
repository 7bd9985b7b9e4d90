import type { Database } from 'libsql';
import { Claims } from './claims.ts';
import type { Appended, Claimed, EventLogError, NewEvent, Retention, Usage, WriteCondition } from './event-log.ts';
import { type RememberedRow, RememberedRows } from './remembered-rows.ts';
import { createReads, type Reads, usageOf } from './sqlite-reads.ts';
import { createRetention, STREAM_COLUMNS, type StreamRow } from './sqlite-retention.ts';
import { isCounted, placementOf } from './store-rules.ts';

/** An append drops at most this many old events of its stream, which takes about 20 ms. The next append, or `expire`, drops further events. */
const MAX_DROPPED_BY_APPEND = 5000;

type NamedRow = StreamRow & { readonly name: string };

/** The prepared statements of an event log in a SQLite file. Methods that write must be called within a transaction. */
export class SqliteStatements {
  readonly reads: Reads;
  readonly #retention: Retention;
  readonly #drop: ReturnType<typeof createRetention>;
  readonly #write: ReturnType<typeof prepareWrites>;
  /** Claims are kept in memory: when another process can open the file, the nodes of this process no longer exist. */
  readonly #claims: Claims;
  readonly #rows = new RememberedRows();
  #usage: Usage;

  constructor(database: Database, retention: Retention) {
    this.#retention = retention;
    this.reads = createReads(database);
    this.#drop = createRetention(database, retention);
    this.#write = prepareWrites(database);
    this.#claims = new Claims((database.prepare('SELECT last FROM epochs').get() as { readonly last: number }).last);
    this.#usage = usageOf(database);
  }

  /** The size of the store, including what the open transaction has written. */
  get usage(): Usage {
    return this.#usage;
  }

  /** Must be called after a rollback, with the usage before the rolled-back writes. */
  rolledBack(usage: Usage): void {
    this.#usage = usage;
    this.#rows.clear();
  }

  append(name: string, events: readonly NewEvent[], now: number): Appended[] {
    const { row: before, keptUntil } = this.#streamFor(name, now);
    const after = { ...before };
    const appended = events.map((event): Appended => {
      const placement = placementOf(event, (id) => this.reads.knownIn(before, id));
      if ('found' in placement) return placement.found;
      const { type, source, payload, attributes = null, owner = null, topic = null } = event;
      const id = placement.keepAs;
      const bytes = Buffer.byteLength(payload);
      const sequence = ++after.last;
      this.#write.event.run(before.id, sequence, id, type, source, payload, attributes, bytes, now, owner, topic);
      after.bytes += bytes;
      return { id, sequence, createdAt: now, duplicate: false };
    });
    const { maxAgeMs, maxBytes } = this.#retention;
    const isAllKept = now <= keptUntil && after.bytes <= maxBytes;
    const left = isAllKept
      ? { keptUntil: Math.min(keptUntil, now + maxAgeMs) }
      : this.#drop(after, now, (count) => count === MAX_DROPPED_BY_APPEND);
    this.#update(name, before, { row: { ...after, written_at: now }, keptUntil: left.keptUntil });
    return appended;
  }

  writeDocument(name: string, document: string, text: string, now: number): void {
    const { row: before, keptUntil } = this.#streamFor(name, now);
    const replaced = this.#write.documentSize.get(before.id, document) as { readonly bytes: number } | undefined;
    this.#write.document.run(before.id, document, text);
    const bytes = before.document_bytes + Buffer.byteLength(text) - (replaced?.bytes ?? 0);
    this.#update(name, before, { row: { ...before, document_bytes: bytes, written_at: now }, keptUntil });
  }

  refusalOf(name: string, condition: WriteCondition): EventLogError | undefined {
    return this.#claims.refusalOf(name, condition, () => this.reads.last(name));
  }

  /** Claims a stream, and stores the epoch. A renewal stores the epoch too, because the transaction of the preceding claim may have failed. */
  claim(name: string, node: string, ttlMs: number, now: number): Claimed {
    const claimed = this.#claims.claim(name, node, ttlMs, now);
    this.#write.epoch.run(this.#claims.lastEpoch);
    return claimed;
  }

  release(name: string, epoch: number): void {
    this.#claims.release(name, epoch);
  }

  /** Removes claims that expired long ago. Claims are only in memory, so this is not a write. */
  expireClaims(now: number): Promise<void> {
    return this.#claims.expire(now, this.#retention.maxAgeMs);
  }

  /**
   * Drops what is too old in the streams after the given id, until `isEnough` returns true. Returns the id after which to continue, or undefined when
   * no stream is left.
   */
  expire(afterId: number, now: number, isEnough: () => boolean): number | undefined {
    for (let id = afterId; ; ) {
      const row = this.#write.nextStream.get(id) as NamedRow | undefined;
      if (row === undefined) return undefined;
      const after = { ...row };
      const { hasMore, keptUntil } = this.#drop(after, now, isEnough);
      if (!hasMore && now - row.written_at > this.#retention.maxAgeMs) this.#remove(row);
      else if (after.first !== row.first) this.#update(row.name, row, { row: after, keptUntil });
      if (!hasMore) id = row.id;
      if (hasMore || isEnough()) return id;
    }
  }

  #streamFor(name: string, now: number): RememberedRow {
    const remembered = this.#rows.get(name);
    if (remembered !== undefined) return remembered;
    const row = this.reads.stream(name);
    // The age of the stream's events is not known yet, so the next append checks for events that are too old.
    if (row !== undefined) return { row, keptUntil: -Infinity };
    this.#write.newStream.run(name, now);
    if (isCounted(name)) this.#usage = { ...this.#usage, streams: this.#usage.streams + 1 };
    return { row: this.reads.stream(name) as StreamRow, keptUntil: -Infinity };
  }

  #update(name: string, before: StreamRow, { row: after, keptUntil }: RememberedRow): void {
    this.#write.stream.run(after.first, after.last, after.bytes, after.document_bytes, after.written_at, after.id);
    this.#rows.set(name, { row: after, keptUntil });
    const change = after.bytes + after.document_bytes - before.bytes - before.document_bytes;
    this.#usage = { ...this.#usage, bytes: this.#usage.bytes + change };
  }

  #remove({ id, name, bytes, document_bytes }: NamedRow): void {
    for (const statement of this.#write.removals) statement.run(id);
    this.#rows.delete(name);
    const { streams, bytes: used } = this.#usage;
    this.#usage = { streams: streams - (isCounted(name) ? 1 : 0), bytes: used - bytes - document_bytes };
  }
}

function prepareWrites(database: Database) {
  return {
    removals: [
      database.prepare('DELETE FROM events WHERE stream = ?'),
      database.prepare('DELETE FROM documents WHERE stream = ?'),
      database.prepare('DELETE FROM earlier WHERE stream = ?'),
      database.prepare('DELETE FROM streams WHERE id = ?'),
    ],
    newStream: database.prepare('INSERT INTO streams (name, written_at) VALUES (?, ?)'),
    stream: database.prepare(
      'UPDATE streams SET first = ?, last = ?, bytes = ?, document_bytes = ?, written_at = ? WHERE id = ?',
    ),
    event: database.prepare(
      `INSERT INTO events (stream, sequence, id, type, source, payload, attributes, bytes, created_at, owner, topic)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    documentSize: database.prepare('SELECT octet_length(text) AS bytes FROM documents WHERE stream = ? AND name = ?'),
    document: database.prepare('INSERT OR REPLACE INTO documents (stream, name, text) VALUES (?, ?, ?)'),
    // If the epoch is already stored, the file is neither changed nor synced.
    epoch: database.prepare('UPDATE epochs SET last = ?1 WHERE last < ?1'),
    nextStream: database.prepare(`SELECT name, ${STREAM_COLUMNS} FROM streams WHERE id > ? ORDER BY id LIMIT 1`),
  };
}
