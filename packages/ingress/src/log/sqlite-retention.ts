import type { Database } from 'libsql';
import type { Retention } from './event-log.ts';

/** Of one stream. */
export const STREAM_COLUMNS = 'id, first, last, bytes, written_at, document_bytes';

/** A stream as its table has it. */
export interface StreamRow {
  readonly id: number;
  /** The oldest event that is kept, or one past `last`. */
  first: number;
  last: number;
  /** Of the payloads that are kept. */
  bytes: number;
  document_bytes: number;
  readonly written_at: number;
}

type Oldest = { readonly sequence: number; readonly bytes: number; readonly created_at: number };

/** Whether dropping goes on another time, asked with how many events were looked at. */
export type IsEnough = (count: number) => boolean;

/** What takes away what is too old, or too much. Where it is enough for now, the function is true: there may be more to be done. */
export function createRetention(database: Database, { maxAgeMs, maxBytes }: Retention) {
  const at = database.prepare('SELECT sequence, bytes, created_at FROM events WHERE stream = ? AND sequence = ?');
  const oldest = database.prepare(
    'SELECT sequence, bytes, created_at FROM events WHERE stream = ? ORDER BY sequence LIMIT 1',
  );
  const hollow = database.prepare(
    'UPDATE events SET payload = NULL, attributes = NULL WHERE stream = ? AND sequence = ?',
  );
  const remove = database.prepare('DELETE FROM events WHERE stream = ? AND sequence = ?');

  /** Takes the oldest events away while they are too old, or too much; their rows stay for their ids. Changes the given row. */
  const drop = (stream: StreamRow, now: number, isEnough: IsEnough): boolean => {
    for (let count = 0; stream.first <= stream.last; stream.first++, count++) {
      if (isEnough(count)) return true;
      const row = at.get(stream.id, stream.first) as Oldest | undefined;
      if (row === undefined) continue;
      const isTooOld = now - row.created_at > maxAgeMs;
      if (!isTooOld && (stream.bytes <= maxBytes || stream.first === stream.last)) return false;
      // The row of an event that is too old goes as a whole.
      if (!isTooOld) hollow.run(stream.id, stream.first);
      stream.bytes -= row.bytes;
    }
    return false;
  };

  /** Takes the rows of dropped events away whose ids are too old as well; from the oldest on, so that the young ones are not looked at. */
  const forget = (stream: StreamRow, now: number, isEnough: IsEnough): boolean => {
    for (let count = 0; ; count++) {
      const row = oldest.get(stream.id) as Oldest | undefined;
      if (row === undefined || row.sequence >= stream.first || now - row.created_at <= maxAgeMs) return false;
      if (isEnough(count)) return true;
      remove.run(stream.id, row.sequence);
    }
  };

  return (stream: StreamRow, now: number, isEnough: IsEnough): boolean => {
    const hasMore = drop(stream, now, isEnough);
    return forget(stream, now, isEnough) || hasMore;
  };
}
