import { EventLogError } from '../log/event-log.ts';
import { openDatabase, sqliteError } from '../log/open-database.ts';
import { openSqliteEventLog } from '../log/sqlite-event-log.ts';
import { readState } from '../session/stored-state.ts';
import { readerCursor } from '../stream/reader-cursor.ts';
import { envelopeOf, readableEvent } from '../stream/stream-format.ts';

/** The sessions in the file of a store, for programs that manage them. */
export type StoredSessions = Awaited<ReturnType<typeof openStoredSessions>>;

const PAGE = 100;

/**
 * Opens the sessions in the file of a store, even while a server has it open. All calls except `remove` only read. While `remove` runs, no server may
 * have the file open. The results have the same form as a server's answers.
 * @throws EventLogError for a file that cannot be read
 */
export async function openStoredSessions(file: string) {
  const log = await openSqliteEventLog({ file, readOnly: true });
  const summaryOf = async (id: string) => {
    const state = await readState({ log, now: Date.now }, id);
    if (state === undefined) throw new EventLogError('failed', `event log: the session ${id} does not exist`);
    const { record, worker } = state;
    const created_at = new Date(record.createdAt).toISOString();
    const { status: worker_status, epoch: worker_epoch, externalMetadata: external_metadata } = worker;
    const facts = { id, title: record.title, created_at, archived: record.archived, worker_status };
    return { ...facts, worker_epoch, external_metadata };
  };
  return {
    async list(before?: string) {
      const ids = await log.listStreams({ before, limit: PAGE + 1 });
      const sessions = await Promise.all(ids.slice(0, PAGE).map(summaryOf));
      return { sessions, next: ids.length > PAGE ? ids[PAGE - 1] : undefined };
    },
    async show(id: string) {
      const summary = await summaryOf(id);
      const { last } = await log.read(id, Number.MAX_SAFE_INTEGER, { maxEvents: 1 });
      return { ...summary, last_sequence_num: last };
    },
    async eventsAfter(id: string, cursor: string) {
      const { sequence: after } = readerCursor(cursor);
      const { events, missing, last } = await log.read(id, after);
      // A stream without events may be an unknown session, for which `summaryOf` throws.
      if (last === 0) await summaryOf(id);
      const lines = events.map(readableEvent).flatMap((event) => (event === undefined ? [] : [envelopeOf(event)]));
      const next = Math.max(after, events.at(-1)?.sequence ?? last);
      return { lines, missing, next: String(next), end: String(last) };
    },
    async remove(id: string) {
      await summaryOf(id);
      await removeSession(file, id);
      return 'removed' as const;
    },
    close: () => log.close(),
  };
}

/** Deletes a session with its parts, and overwrites the remains of its texts in the free pages of the file. */
async function removeSession(file: string, id: string): Promise<void> {
  const { database, close } = await openDatabase(file, () => {});
  const streams = "SELECT id FROM streams WHERE name = ?1 OR substr(name, 1, length(?1) + 1) = ?1 || '/'";
  try {
    database.exec('PRAGMA secure_delete = ON; BEGIN IMMEDIATE');
    database.prepare(`DELETE FROM events WHERE stream IN (${streams})`).run(id);
    database.prepare(`DELETE FROM documents WHERE stream IN (${streams})`).run(id);
    database.prepare(`DELETE FROM earlier WHERE stream IN (${streams})`).run(id);
    database.prepare(`DELETE FROM streams WHERE id IN (${streams})`).run(id);
    database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (cause) {
    throw sqliteError(cause);
  } finally {
    close();
  }
}
