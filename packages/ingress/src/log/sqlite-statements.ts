import type { Database } from 'libsql';
import type { Appended, NewEvent, Retention, Usage } from './event-log.ts';
import { createReads, usageOf } from './sqlite-reads.ts';
import { createRetention, STREAM_COLUMNS, type StreamRow } from './sqlite-retention.ts';
import { isCounted, placementOf } from './store-rules.ts';

/** So many events at most an append drops of its stream, which takes some 20 ms; the next one, or `expire`, drops the rest. */
const MAX_DROPPED_BY_APPEND = 5000;

/** What the store asks of its tables. Writes are called within a transaction. */
export type Statements = ReturnType<typeof createStatements>;

/** Prepares them. */
export function createStatements(database: Database, retention: Retention) {
  const begin = database.prepare('INSERT INTO streams (name, written_at) VALUES (?, ?)');
  const update = database.prepare(
    'UPDATE streams SET first = ?, last = ?, bytes = ?, document_bytes = ?, written_at = ? WHERE id = ?',
  );
  const insert = database.prepare(
    `INSERT INTO events (stream, sequence, id, type, source, payload, attributes, bytes, created_at, owner, topic)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const documentSize = database.prepare(
    'SELECT octet_length(text) AS bytes FROM documents WHERE stream = ? AND name = ?',
  );
  const replace = database.prepare('INSERT OR REPLACE INTO documents (stream, name, text) VALUES (?, ?, ?)');
  const next = database.prepare(`SELECT name, ${STREAM_COLUMNS} FROM streams WHERE id > ? ORDER BY id LIMIT 1`);
  const drop = createRetention(database, retention);
  const reads = createReads(database);
  let used = usageOf(database);

  const written = (name: string, now: number) => {
    const before = reads.stream(name);
    if (before !== undefined) return before;
    begin.run(name, now);
    if (isCounted(name)) used = { ...used, streams: used.streams + 1 };
    return reads.stream(name) as StreamRow;
  };
  const keep = (before: StreamRow, after: StreamRow, now: number) => {
    update.run(after.first, after.last, after.bytes, after.document_bytes, now, after.id);
    const change = after.bytes + after.document_bytes - before.bytes - before.document_bytes;
    used = { ...used, bytes: used.bytes + change };
  };

  const remove = ({ id, name, bytes, document_bytes }: StreamRow & { readonly name: string }) => {
    for (const [table, column] of [
      ['events', 'stream'],
      ['documents', 'stream'],
      ['streams', 'id'],
    ]) {
      database.prepare(`DELETE FROM ${table} WHERE ${column} = ?`).run(id);
    }
    used = { streams: used.streams - (isCounted(name) ? 1 : 0), bytes: used.bytes - bytes - document_bytes };
  };

  return {
    ...reads,

    append(name: string, events: readonly NewEvent[], now: number): Appended[] {
      const before = written(name, now);
      const after = { ...before };
      const appended = events.map((event): Appended => {
        const placement = placementOf(event, (id) => reads.knownIn(before, id));
        if ('found' in placement) return placement.found;
        const { type, source, payload, attributes = null, owner = null, topic = null } = event;
        const id = placement.keepAs;
        const bytes = Buffer.byteLength(payload);
        const sequence = ++after.last;
        insert.run(before.id, sequence, id, type, source, payload, attributes, bytes, now, owner, topic);
        after.bytes += bytes;
        return { id, sequence, createdAt: now, duplicate: false };
      });
      drop(after, now, (count) => count === MAX_DROPPED_BY_APPEND);
      keep(before, after, now);
      return appended;
    },

    writeDocument(name: string, of: string, content: string, now: number): void {
      const before = written(name, now);
      const replaced = documentSize.get(before.id, of) as { readonly bytes: number } | undefined;
      replace.run(before.id, of, content);
      const bytes = before.document_bytes + Buffer.byteLength(content) - (replaced?.bytes ?? 0);
      keep(before, { ...before, document_bytes: bytes }, now);
    },

    /**
     * Drops what is too old, of the streams behind the one with the given id, until it is enough. Gives where to go on; undefined where no
     * stream is left.
     */
    expire(behind: number, now: number, isEnough: () => boolean): number | undefined {
      for (let id = behind; ; ) {
        const row = next.get(id) as (StreamRow & { readonly name: string }) | undefined;
        if (row === undefined) return undefined;
        const after = { ...row };
        const hasMore = drop(after, now, isEnough);
        if (!hasMore && now - row.written_at > retention.maxAgeMs) remove(row);
        else if (after.first !== row.first) keep(row, after, row.written_at);
        if (!hasMore) id = row.id;
        if (hasMore || isEnough()) return id;
      }
    },

    /** How much there is. Set back where a transaction was. */
    get usage(): Usage {
      return used;
    },
    set usage(usage: Usage) {
      used = usage;
    },
  };
}
