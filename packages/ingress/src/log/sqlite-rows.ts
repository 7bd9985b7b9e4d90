import type { KnownEvent, StoredEvent } from './event-log.ts';

/**
 * Selects a column of text as bytes, null where it is no text. As text, libsql would end the process at bytes that are no UTF-8, and cut the text
 * at its first NUL.
 */
export function text(column: string): string {
  return `CASE typeof(${column}) WHEN 'text' THEN CAST(${column} AS BLOB) END AS ${column}`;
}

/** What `eventsOf` has to be given of each event. */
export const EVENT_COLUMNS = [
  ...['id', 'type', 'source', 'payload', 'attributes', 'owner', 'topic'].map(text),
  'created_at',
].join(', ');

type Bytes = Buffer | null;
interface EventRow {
  readonly id: Bytes;
  readonly type: Bytes;
  readonly source: Bytes;
  readonly payload: Bytes;
  readonly attributes: Bytes;
  readonly owner: Bytes;
  readonly topic: Bytes;
  readonly created_at: number;
}
type KnownRow = Pick<EventRow, 'owner' | 'topic' | 'created_at'> & { readonly sequence: number };

/**
 * The events of some places in a stream. One by one: a page ends by its bytes, and a cursor that is left open would hold up the write-ahead
 * log. A row that is gone, or damaged, is passed over.
 */
export function* eventsOf(rowAt: (sequence: number) => unknown, first: number, last: number): Generator<StoredEvent> {
  for (let sequence = first; sequence <= last; sequence++) {
    const row = rowAt(sequence) as EventRow | undefined;
    if (!row?.id || !row.type || !row.source || !row.payload) continue;
    yield {
      sequence,
      id: row.id.toString(),
      type: row.type.toString(),
      source: row.source.toString(),
      payload: row.payload.toString(),
      ...(row.attributes && { attributes: row.attributes.toString() }),
      ...(row.owner && { owner: row.owner.toString() }),
      ...(row.topic && { topic: row.topic.toString() }),
      createdAt: row.created_at,
    };
  }
}

/** What a row says of an id. */
export function knownOf(value: unknown): KnownEvent | undefined {
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
