import type { Database } from 'libsql';
import type { StoredEvent } from './event-log.ts';

/** The maximum number of events that one statement reads, and the number of payload bytes after which the next statement reads further events. */
const MAX_BATCH_EVENTS = 128;
const MAX_BATCH_BYTES = 256 * 1024;

const TEXTS = ['id', 'type', 'source', 'payload', 'attributes', 'owner', 'topic'];
const isText = (column: string) => `typeof(${column}) = 'text'`;
const IS_WHOLE = [...TEXTS.slice(0, 4).map(isText), "typeof(created_at) IN ('integer', 'real')"].join(' AND ');
const LENGTHS = TEXTS.map((column) => `CASE WHEN ${isText(column)} THEN octet_length(${column}) ELSE -1 END`);
const TEXTS_OR_EMPTY = TEXTS.map((column) => `CASE WHEN ${isText(column)} THEN ${column} ELSE '' END`);

/** The numbers of the events in a batch, and all their texts as bytes; null if the batch contains no complete event. */
interface Batch {
  readonly numbers: string | null;
  readonly texts: Buffer | null;
}

/** Yields the events of a stream in a range of positions, but at most `limit` of them. Missing and damaged rows are left out. */
export type ReadEvents = (stream: number, first: number, last: number, limit: number) => Generator<StoredEvent>;

/**
 * Prepares the statements that read events. Events are read in batches, each as one row, because each row costs 20 us and each byte object 7 us. A
 * batch is limited by its size in bytes, because a page is limited in the same way. No SQL cursor stays open, because it would block the WAL.
 *
 * Texts are read as bytes. If a text were read as text, libsql would end the process at invalid UTF-8, and cut the text at its first NUL.
 */
export function createEventReads(database: Database): ReadEvents {
  const range = 'FROM events WHERE stream = ? AND sequence BETWEEN ? AND ?';
  const sizes = database.prepare(
    `SELECT group_concat(size) AS sizes FROM
      (SELECT sequence || ',' || coalesce(octet_length(payload), 0) AS size ${range} ORDER BY sequence LIMIT ?)`,
  );
  // Both texts are concatenated in one pass, so their orders are the same.
  const batch = database.prepare(
    `SELECT group_concat(numbers) AS numbers, CAST(group_concat(texts, '') AS BLOB) AS texts FROM
      (SELECT sequence || ',' || created_at || ',' || ${LENGTHS.join(" || ',' || ")} AS numbers, ${TEXTS_OR_EMPTY.join(' || ')} AS texts
        ${range} AND ${IS_WHOLE} ORDER BY sequence)`,
  );

  /** The last position in a batch. A batch has at least one row, and no more rows than fit. */
  const endOf = (stream: number, first: number, last: number, limit: number): number => {
    const row = sizes.get(stream, first, last, limit) as { readonly sizes: string | null };
    if (row.sizes === null) return last;
    const numbers = row.sizes.split(',').map(Number);
    let bytes = 0;
    for (let at = 0; at < numbers.length; at += 2) {
      bytes += numbers[at + 1] as number;
      if (at > 0 && bytes > MAX_BATCH_BYTES) return numbers[at - 2] as number;
    }
    return numbers.length < 2 * limit ? last : (numbers.at(-2) as number);
  };

  return function* readEvents(stream, first, last, limit) {
    const most = Math.min(limit, MAX_BATCH_EVENTS);
    for (let from = first; from <= last; ) {
      const end = endOf(stream, from, last, most);
      yield* eventsOf(batch.get(stream, from, end) as Batch);
      from = end + 1;
    }
  };
}

/** How many numbers describe one event: its position, its time, and the lengths of its texts. */
const NUMBERS = 2 + TEXTS.length;

function* eventsOf({ numbers, texts }: Batch): Generator<StoredEvent> {
  if (numbers === null || texts === null) return;
  const all = numbers.split(',').map(Number);
  let from = 0;
  let at = 0;
  const next = () => {
    const bytes = all[at++] as number;
    return bytes === -1 ? undefined : texts.toString('utf8', from, (from += bytes));
  };
  for (let event = 0; event < all.length; event += NUMBERS) {
    at = event + 2;
    const [id, type, source, payload, attributes, owner, topic] = [
      next(),
      next(),
      next(),
      next(),
      next(),
      next(),
      next(),
    ];
    yield {
      sequence: all[event] as number,
      ...({ id, type, source, payload } as Pick<StoredEvent, 'id' | 'type' | 'source' | 'payload'>),
      ...(attributes !== undefined && { attributes }),
      ...(owner !== undefined && { owner }),
      ...(topic !== undefined && { topic }),
      createdAt: all[event + 1] as number,
    };
  }
}
