import type { Database } from 'libsql';
import type { Retention } from './event-log.ts';

/** The columns of a `StreamRow`. */
export const STREAM_COLUMNS = 'id, first, last, bytes, written_at, document_bytes';

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

/** Returns whether to stop dropping events for now. Called with the number of events dropped so far. */
export type IsEnough = (count: number) => boolean;

/** What was dropped from a stream. */
export interface Dropped {
  /** Whether there is more to drop, because `isEnough` stopped the dropping early. */
  readonly hasMore: boolean;
  /** The time in milliseconds since 1970 until which no part of the stream is too old. */
  readonly keptUntil: number;
}

/** Creates the function that drops events from a stream if they are too old or exceed the size limit. */
export function createRetention(database: Database, { maxAgeMs, maxBytes }: Retention) {
  const at = database.prepare('SELECT sequence, bytes, created_at FROM events WHERE stream = ? AND sequence = ?');
  const oldest = database.prepare(
    'SELECT sequence, bytes, created_at FROM events WHERE stream = ? ORDER BY sequence LIMIT 1',
  );
  const hollow = database.prepare(
    'UPDATE events SET payload = NULL, attributes = NULL WHERE stream = ? AND sequence = ?',
  );
  const remove = database.prepare('DELETE FROM events WHERE stream = ? AND sequence = ?');

  /**
   * Drops the oldest events while they are too old or exceed the size limit. Their rows are kept, because the store must still know their ids.
   * Changes the given row.
   */
  const drop = (stream: StreamRow, now: number, isEnough: IsEnough): Dropped => {
    for (let count = 0; stream.first <= stream.last; stream.first++, count++) {
      if (isEnough(count)) return { hasMore: true, keptUntil: now };
      const row = at.get(stream.id, stream.first) as Oldest | undefined;
      if (row === undefined) continue;
      const isTooOld = now - row.created_at > maxAgeMs;
      if (!isTooOld && (stream.bytes <= maxBytes || stream.first === stream.last)) {
        return { hasMore: false, keptUntil: row.created_at + maxAgeMs };
      }
      // The row of an event that is too old is deleted as a whole, by `forget`.
      if (!isTooOld) hollow.run(stream.id, stream.first);
      stream.bytes -= row.bytes;
    }
    return { hasMore: false, keptUntil: Infinity };
  };

  /** Deletes the rows of dropped events whose ids are also too old. Begins with the oldest row, so that newer rows are not read. */
  const forget = (stream: StreamRow, now: number, isEnough: IsEnough): Dropped => {
    for (let count = 0; ; count++) {
      const row = oldest.get(stream.id) as Oldest | undefined;
      if (row === undefined) return { hasMore: false, keptUntil: Infinity };
      const keptUntil = row.created_at + maxAgeMs;
      if (row.sequence >= stream.first || now <= keptUntil) return { hasMore: false, keptUntil };
      if (isEnough(count)) return { hasMore: true, keptUntil };
      remove.run(stream.id, row.sequence);
    }
  };

  return (stream: StreamRow, now: number, isEnough: IsEnough): Dropped => {
    const [events, ids] = [drop(stream, now, isEnough), forget(stream, now, isEnough)];
    return { hasMore: events.hasMore || ids.hasMore, keptUntil: Math.min(events.keptUntil, ids.keptUntil) };
  };
}
