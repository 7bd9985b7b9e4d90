import type { Database } from 'libsql';
import type { EventPage, KnownEvent, ReadLimits, StreamsQuery, Usage } from './event-log.ts';
import { createEventReads } from './sqlite-events.ts';
import { STREAM_COLUMNS, type StreamRow } from './sqlite-retention.ts';
import { pageOf } from './store-rules.ts';

export type Reads = ReturnType<typeof createReads>;

export function createReads(database: Database) {
  const stream = database.prepare(`SELECT ${STREAM_COLUMNS} FROM streams WHERE name = ?`);
  const known = database.prepare(
    `SELECT sequence, created_at, ${text('owner')}, ${text('topic')} FROM events WHERE stream = ? AND id = ?`,
  );
  const events = createEventReads(database);
  const document = database.prepare(`SELECT ${text('text')} FROM documents WHERE stream = ? AND name = ?`);
  const streams = database.prepare(
    `SELECT ${text('name')} FROM streams WHERE id < ? AND ${IS_COUNTED} ORDER BY id DESC LIMIT ?`,
  );
  const identity = database.prepare('SELECT identity FROM log');
  const earlier = database.prepare('SELECT last FROM earlier WHERE stream = ? AND identity = ?');
  const find = (name: string) => stream.get(name) as StreamRow | undefined;
  const knownIn = ({ id }: Pick<StreamRow, 'id'>, event: string) => knownOf(known.get(id, event));

  return {
    stream: find,
    knownIn,

    read(name: string, after: number, limits: ReadLimits): EventPage {
      const row = find(name);
      if (row === undefined) return { events: [], last: 0 };
      const { id, first, last } = row;
      const rows = events(id, Math.max(after + 1, first), last, limits.maxEvents ?? Infinity);
      return pageOf(rows, { after, first, last }, limits);
    },

    identity(): string {
      return (identity.get() as { readonly identity: string }).identity;
    },

    commonWith(name: string, log: string): number {
      if (log === this.identity()) return Infinity;
      const row = find(name);
      return (row && (earlier.get(row.id, log) as { readonly last: number } | undefined)?.last) ?? 0;
    },

    /** The last sequence number of a stream; 0 for a stream that was never written to. */
    last(name: string): number {
      return find(name)?.last ?? 0;
    },

    find(name: string, id: string): KnownEvent | undefined {
      const row = find(name);
      return row && knownIn(row, id);
    },

    listStreams({ before, limit }: StreamsQuery): readonly string[] {
      const end = before === undefined ? Number.MAX_SAFE_INTEGER : (find(before)?.id ?? 0);
      const rows = streams.all(end, limit) as readonly { readonly name: ArrayBuffer | null }[];
      // `all` returns bytes in a different form than `get`.
      return rows.flatMap(({ name }) => (name === null ? [] : Buffer.from(name).toString()));
    },

    readDocument(name: string, of: string): string | undefined {
      const row = find(name);
      return row && (document.get(row.id, of) as { readonly text: Buffer | null } | undefined)?.text?.toString();
    },
  };
}

/** True for a row that is neither a part of another stream nor a stream of the server. */
const IS_COUNTED = `instr(name, '/') = 0 AND substr(name, 1, 1) <> '@'`;

/** Counts the streams and bytes of a store. */
export function usageOf(database: Database): Usage {
  const sum = database.prepare(`SELECT
    count(CASE WHEN ${IS_COUNTED} THEN 1 END) AS streams,
    coalesce(sum(bytes + document_bytes), 0) AS bytes FROM streams`);
  const { streams, bytes } = sum.get() as Usage;
  return { streams, bytes };
}

/**
 * Selects a column of text as bytes; null for a value that is not text. If the value were read as text, libsql would end the process at invalid
 * UTF-8, and cut the text at its first NUL.
 */
function text(column: string): string {
  return `CASE typeof(${column}) WHEN 'text' THEN CAST(${column} AS BLOB) END AS ${column}`;
}

interface KnownRow {
  readonly sequence: number;
  readonly created_at: number;
  readonly owner: Buffer | null;
  readonly topic: Buffer | null;
}

function knownOf(value: unknown): KnownEvent | undefined {
  const row = value as KnownRow | undefined;
  if (row === undefined) return undefined;
  const { sequence, created_at, owner, topic } = row;
  return {
    sequence,
    createdAt: created_at,
    ...(owner && { owner: owner.toString() }),
    ...(topic && { topic: topic.toString() }),
  };
}
