import type { Database } from 'libsql';
import type { EventPage, KnownEvent, ReadLimits, Usage } from './event-log.ts';
import { pageOf } from './page.ts';
import { STREAM_COLUMNS, type StreamRow } from './sqlite-retention.ts';
import { EVENT_COLUMNS, eventsOf, knownOf, text } from './sqlite-rows.ts';

/** What the store reads from its tables. */
export type Reads = ReturnType<typeof createReads>;

/** Prepares it. */
export function createReads(database: Database) {
  const stream = database.prepare(`SELECT ${STREAM_COLUMNS} FROM streams WHERE name = ?`);
  const known = database.prepare(
    `SELECT sequence, created_at, ${text('owner')}, ${text('topic')} FROM events WHERE stream = ? AND id = ?`,
  );
  const select = database.prepare(`SELECT ${EVENT_COLUMNS} FROM events WHERE stream = ? AND sequence = ?`);
  const document = database.prepare(`SELECT ${text('text')} FROM documents WHERE stream = ? AND name = ?`);
  const find = (name: string) => stream.get(name) as StreamRow | undefined;
  const knownIn = ({ id }: Pick<StreamRow, 'id'>, event: string) => knownOf(known.get(id, event));

  return {
    stream: find,
    knownIn,

    read(name: string, after: number, limits: ReadLimits): EventPage {
      const row = find(name);
      if (row === undefined) return { events: [], last: 0 };
      const { id, first, last } = row;
      const rows = eventsOf((sequence) => select.get(id, sequence), Math.max(after + 1, first), last);
      return pageOf(rows, { after, first, last }, limits);
    },

    find(name: string, id: string): KnownEvent | undefined {
      const row = find(name);
      return row && knownIn(row, id);
    },

    readDocument(name: string, of: string): string | undefined {
      const row = find(name);
      return row && (document.get(row.id, of) as { readonly text: Buffer | null } | undefined)?.text?.toString();
    },
  };
}

/** Counts what the tables have. */
export function usageOf(database: Database): Usage {
  const sum = database.prepare(`SELECT
    count(CASE WHEN instr(name, '/') = 0 AND substr(name, 1, 1) <> '@' THEN 1 END) AS streams,
    coalesce(sum(bytes + document_bytes), 0) AS bytes FROM streams`);
  const { streams, bytes } = sum.get() as Usage;
  return { streams, bytes };
}
