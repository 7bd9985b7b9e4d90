import type { Database } from 'libsql';
import type { Appended, EventPage, NewEvent, ReadLimits, Retention, StoredEvent } from './event-log.ts';
import { pageOf } from './page.ts';

interface StreamRow {
  readonly id: number;
  readonly first: number;
  readonly last: number;
  readonly bytes: number;
}
interface EventRow extends Omit<StoredEvent, 'attributes' | 'createdAt'> {
  readonly attributes: string | null;
  readonly created_at: number;
}
type Known = Pick<EventRow, 'sequence' | 'created_at'>;
type Oldest = { readonly sequence: number; readonly bytes: number; readonly created_at: number };

/** What the store asks of its tables. Writes are called within a transaction. */
export function createStatements(database: Database, { maxAgeMs, maxBytes }: Retention) {
  const find = database.prepare('SELECT id, first, last, bytes FROM streams WHERE name = ?');
  const touch = database.prepare(
    'INSERT INTO streams (name, written_at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET written_at = excluded.written_at',
  );
  const update = database.prepare('UPDATE streams SET first = ?, last = ?, bytes = ? WHERE id = ?');
  const known = database.prepare('SELECT sequence, created_at FROM events WHERE stream = ? AND id = ?');
  const insert = database.prepare(
    'INSERT INTO events (stream, sequence, id, type, source, payload, attributes, bytes, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const select = database.prepare(
    'SELECT sequence, id, type, source, payload, attributes, created_at FROM events WHERE stream = ? AND sequence = ?',
  );
  const oldest = database.prepare('SELECT sequence, bytes, created_at FROM events WHERE stream = ? AND sequence = ?');
  const hollow = database.prepare(
    'UPDATE events SET payload = NULL, attributes = NULL WHERE stream = ? AND sequence = ?',
  );
  const forget = database.prepare('DELETE FROM events WHERE stream = ? AND sequence < ? AND created_at < ?');
  const document = database.prepare('SELECT text FROM documents WHERE stream = ? AND name = ?');
  const replace = database.prepare('INSERT OR REPLACE INTO documents (stream, name, text) VALUES (?, ?, ?)');
  const names = database.prepare('SELECT name, written_at FROM streams');

  const streamOf = (name: string) => find.get(name) as StreamRow | undefined;
  const written = (name: string, now: number) => {
    touch.run(name, now);
    return streamOf(name) as StreamRow;
  };

  /** Takes the oldest events away while they are too old, or too much; the row stays for its id until it is too old as well. */
  const drop = ({ id, first, last, bytes }: StreamRow, now: number): StreamRow => {
    let [kept, left] = [first, bytes];
    for (; kept <= last; kept++) {
      const row = oldest.get(id, kept) as Oldest;
      if (now - row.created_at <= maxAgeMs && (left <= maxBytes || kept === last)) break;
      hollow.run(id, kept);
      left -= row.bytes;
    }
    forget.run(id, kept, now - maxAgeMs);
    return { id, first: kept, last, bytes: left };
  };

  /** One by one: a page ends by its bytes, and a cursor that is left open would hold up the write-ahead log. */
  function* events(stream: number, first: number, last: number): Generator<StoredEvent> {
    for (let sequence = first; sequence <= last; sequence++) {
      // By name: a row of libsql has members of its own beside its columns.
      const { id, type, source, payload, attributes, created_at } = select.get(stream, sequence) as EventRow;
      yield { sequence, id, type, source, payload, ...(attributes !== null && { attributes }), createdAt: created_at };
    }
  }

  return {
    append(name: string, appending: readonly NewEvent[], now: number): Appended[] {
      let stream = written(name, now);
      const appended = appending.map((event): Appended => {
        const before = known.get(stream.id, event.id) as Known | undefined;
        if (before !== undefined) {
          return { id: event.id, sequence: before.sequence, createdAt: before.created_at, duplicate: true };
        }
        const { id, type, source, payload, attributes = null } = event;
        const bytes = Buffer.byteLength(payload);
        const sequence = stream.last + 1;
        insert.run(stream.id, sequence, id, type, source, payload, attributes, bytes, now);
        stream = { ...stream, last: sequence, bytes: stream.bytes + bytes };
        return { id, sequence, createdAt: now, duplicate: false };
      });
      const { id, first, last, bytes } = drop(stream, now);
      update.run(first, last, bytes, id);
      return appended;
    },

    read(name: string, after: number, limits: ReadLimits): EventPage {
      const stream = streamOf(name);
      if (stream === undefined) return { events: [], last: 0 };
      const { id, first, last } = stream;
      return pageOf(events(id, Math.max(after + 1, first), last), { after, first, last }, limits);
    },

    readDocument(name: string, of: string): string | undefined {
      const stream = streamOf(name);
      return stream && (document.get(stream.id, of) as { readonly text: string } | undefined)?.text;
    },

    writeDocument: (name: string, of: string, text: string, now: number) =>
      void replace.run(written(name, now).id, of, text),

    expire(now: number): void {
      for (const { name, written_at } of names.all() as { readonly name: string; readonly written_at: number }[]) {
        const stream = streamOf(name) as StreamRow;
        if (now - written_at > maxAgeMs) {
          for (const [table, column] of [
            ['events', 'stream'],
            ['documents', 'stream'],
            ['streams', 'id'],
          ]) {
            database.prepare(`DELETE FROM ${table} WHERE ${column} = ?`).run(stream.id);
          }
        } else {
          const { id, first, last, bytes } = drop(stream, now);
          update.run(first, last, bytes, id);
        }
      }
    },
  };
}
