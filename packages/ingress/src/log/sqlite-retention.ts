import type { Database } from 'libsql';
import type { Retention } from './event-log.ts';

/** The columns of a `StreamRow`. */
export const STREAM_COLUMNS = 'id, first, last, bytes, written_at, document_bytes';

/** A row of the table of streams. */
export interface StreamRow {
  readonly id: number;
  /** The oldest event that is kept, or `last + 1`. */
  first: number;
  last: number;
  /** The bytes of the payloads that are kept. */
  bytes: number;
  document_bytes: number;
  readonly written_at: number;
}

type Oldest = { readonly sequence: number; readonly bytes: number; readonly created_at: number };

/** Whether to stop dropping for now, called with the number of events so far. */
export type IsEnough = (count: number) => boolean;

/** Creates the function that drops events of a stream which are too old or too much. It returns true if it stopped early, because it was enough. */
export function createRetention(database: Database, { maxAgeMs, maxBytes }: Retention) {
  const at = database.prepare('SELECT sequence, bytes, created_at FROM events WHERE stream = ? AND sequence = ?');
  const oldest = database.prepare(
    'SELECT sequence, bytes, created_at FROM events WHERE stream = ? ORDER BY sequence LIMIT 1',
  );
  const hollow = database.prepare(
    'UPDATE events SET payload = NULL, attributes = NULL WHERE stream = ? AND sequence = ?',
  );
  const remove = database.prepare('DELETE FROM events WHERE stream = ? AND sequence = ?');

  /** Drops the oldest events while they are too old or too much. Their rows stay, because their ids stay known. Changes the given row. */
  const drop = (stream: StreamRow, now: number, isEnough: IsEnough): boolean => {
    for (let count = 0; stream.first <= stream.last; stream.first++, count++) {
      if (isEnough(count)) return true;
      const row = at.get(stream.id, stream.first) as Oldest | undefined;
      if (row === undefined) continue;
      const isTooOld = now - row.created_at > maxAgeMs;
      if (!isTooOld && (stream.bytes <= maxBytes || stream.first === stream.last)) return false;
      // The row of an event that is too old is deleted as a whole, by `forget`.
      if (!isTooOld) hollow.run(stream.id, stream.first);
      stream.bytes -= row.bytes;
    }
    return false;
  };

  /** Deletes the rows of dropped events whose ids are too old as well. Begins with the oldest, so that younger rows are not read. */
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
