import type { Database } from 'libsql';
import type { EventPage, KnownEvent, ReadLimits, StoredEvent, StreamsQuery, Usage } from './event-log.ts';
import { STREAM_COLUMNS, type StreamRow } from './sqlite-retention.ts';
import { pageOf } from './store-rules.ts';

/** The prepared statements that read an event log. */
export type Reads = ReturnType<typeof createReads>;

/** Prepares the statements that read. */
export function createReads(database: Database) {
  const stream = database.prepare(`SELECT ${STREAM_COLUMNS} FROM streams WHERE name = ?`);
  const known = database.prepare(
    `SELECT sequence, created_at, ${text('owner')}, ${text('topic')} FROM events WHERE stream = ? AND id = ?`,
  );
  const select = database.prepare(`SELECT ${EVENT_COLUMNS} FROM events WHERE stream = ? AND sequence = ?`);
  const document = database.prepare(`SELECT ${text('text')} FROM documents WHERE stream = ? AND name = ?`);
  const streams = database.prepare(
    `SELECT ${text('name')} FROM streams WHERE id < ? AND ${IS_COUNTED} ORDER BY id DESC LIMIT ?`,
  );
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

    /** The last sequence number of a stream; 0 for a stream without any write. */
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
      // `all` returns bytes in another form than `get`.
      return rows.flatMap(({ name }) => (name === null ? [] : Buffer.from(name).toString()));
    },

    readDocument(name: string, of: string): string | undefined {
      const row = find(name);
      return row && (document.get(row.id, of) as { readonly text: Buffer | null } | undefined)?.text?.toString();
    },
  };
}

/** Whether a row is no part of another stream, and no stream of the server. */
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
 * Selects a column of text as bytes; null for a value that is no text. Read as text, libsql would end the process at invalid UTF-8, and cut the text
 * at its first NUL.
 */
function text(column: string): string {
  return `CASE typeof(${column}) WHEN 'text' THEN CAST(${column} AS BLOB) END AS ${column}`;
}

const TEXTS = ['id', 'type', 'source', 'payload', 'attributes', 'owner', 'topic'];
const isText = (column: string) => `typeof(${column}) = 'text'`;

/**
 * The columns for `eventsOf`: all texts of an event joined as bytes, and the length of each text, -1 for a missing one. Joined because each byte object
 * costs 7 us. `texts` is null for a damaged row without a required text.
 */
const EVENT_COLUMNS = `
  created_at,
  ${TEXTS.map((column) => `CASE WHEN ${isText(column)} THEN octet_length(${column}) ELSE -1 END`).join(" || ',' || ")} AS lengths,
  CASE WHEN ${TEXTS.slice(0, 4).map(isText).join(' AND ')} THEN
    CAST(${TEXTS.map((column) => `CASE WHEN ${isText(column)} THEN ${column} ELSE '' END`).join(' || ')} AS BLOB)
  END AS texts`;

interface EventRow {
  readonly created_at: number;
  readonly lengths: string;
  readonly texts: Buffer | null;
}
interface KnownRow {
  readonly sequence: number;
  readonly created_at: number;
  readonly owner: Buffer | null;
  readonly topic: Buffer | null;
}

/**
 * Yields the events of a range of places. Rows are read one by one, because a page ends by its bytes, and an open SQL cursor would block the
 * write-ahead log. Missing and damaged rows are left out.
 */
function* eventsOf(rowAt: (sequence: number) => unknown, first: number, last: number): Generator<StoredEvent> {
  for (let sequence = first; sequence <= last; sequence++) {
    const row = rowAt(sequence) as EventRow | undefined;
    if (!row?.texts) continue;
    const { texts, lengths, created_at } = row;
    let at = 0;
    const [id, type, source, payload, attributes, owner, topic] = lengths.split(',').map((length) => {
      const bytes = Number(length);
      return bytes === -1 ? undefined : texts.toString('utf8', at, (at += bytes));
    });
    yield {
      sequence,
      ...({ id, type, source, payload } as Pick<StoredEvent, 'id' | 'type' | 'source' | 'payload'>),
      ...(attributes !== undefined && { attributes }),
      ...(owner !== undefined && { owner }),
      ...(topic !== undefined && { topic }),
      createdAt: created_at,
    };
  }
}

/** The facts about an id in a row. */
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
