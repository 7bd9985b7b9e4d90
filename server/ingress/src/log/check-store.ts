import type { Database } from 'libsql';
import { openForQueries, sqliteError } from './open-database.ts';
import { usageOf } from './sqlite-reads.ts';
import { versionOf } from './sqlite-schema.ts';

/** The result of checking a store. */
export interface StoreCheck {
  /** The version of the tables. A server that opens a file with an older version migrates it. */
  readonly version: number;
  /** The number of sessions in the file. */
  readonly sessions: number;
  /** The number of stored events, in all sessions together. */
  readonly events: number;
  /** The bytes of all payloads and documents. */
  readonly bytes: number;
  /** Descriptions of what is wrong with the file; empty for an undamaged file. */
  readonly problems: readonly string[];
}

/** The maximum number of problems of one kind that are reported. Further problems of the same kind add no information. */
const MAX_PROBLEMS = 10;

const ODD_ROWS = [
  [
    'events that do not belong to any session',
    'SELECT count(*) AS rows FROM events WHERE stream NOT IN (SELECT id FROM streams)',
  ],
  [
    'events after the end of their session',
    'SELECT count(*) AS rows FROM events JOIN streams ON streams.id = events.stream WHERE sequence > last',
  ],
  [
    'events whose message is not JSON (readers do not get them)',
    'SELECT count(*) AS rows FROM events WHERE payload IS NOT NULL AND NOT json_valid(payload)',
  ],
  [
    'missing events between other events of a session',
    `SELECT coalesce(sum(last - first + 1 - present), 0) AS rows FROM (
      SELECT first, last, (SELECT count(*) FROM events WHERE stream = streams.id AND sequence >= first) AS present
      FROM streams)`,
  ],
] as const;

/**
 * Checks the file of a store, even while a server has it open: the structure of the database, and that its events are complete. Changes nothing. The
 * time grows with the size of the file.
 * @throws EventLogError `failed` for a file that cannot be read or contains no event log; `version` for a file that a newer version of this package
 * wrote
 */
export async function checkStoreFile(file: string): Promise<StoreCheck> {
  const database = await openForQueries(file);
  try {
    const version = versionOf(database, file);
    const structure = structureOf(database);
    // A query over a damaged structure may fail, or return anything.
    if (structure.length > 0) return { version, sessions: 0, events: 0, bytes: 0, problems: structure };
    const odd = version < 2 ? [] : ODD_ROWS.flatMap(([what, query]) => said(what, countOf(database, query)));
    const { streams: sessions, bytes } = usageOf(database);
    const events = countOf(database, 'SELECT count(*) AS rows FROM events WHERE payload IS NOT NULL');
    return { version, sessions, events, bytes, problems: odd };
  } catch (cause) {
    throw sqliteError(cause);
  } finally {
    database.close();
  }
}

function structureOf(database: Database): readonly string[] {
  const rows = database.prepare(`PRAGMA integrity_check(${MAX_PROBLEMS})`).all() as readonly {
    readonly integrity_check: string;
  }[];
  return rows.map(({ integrity_check: found }) => found).filter((found) => found !== 'ok');
}

function countOf(database: Database, query: string): number {
  return (database.prepare(query).get() as { readonly rows: number }).rows;
}

function said(what: string, rows: number): readonly string[] {
  return rows === 0 ? [] : [`${rows} ${what}`];
}
