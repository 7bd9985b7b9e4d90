import type { Database } from 'libsql';
import { EventLogError } from './event-log.ts';
import { load, sqliteError } from './open-database.ts';
import { checkedVersion } from './sqlite-schema.ts';
import { realFile } from './store-file.ts';

/** Opens an existing file beside a server that may have it open, or may open it at any time. */
export async function openBeside(file: string): Promise<Database> {
  const Database = await load();
  const path = realFile(file);
  try {
    const database = new Database(path);
    database.exec('PRAGMA busy_timeout = 5000; PRAGMA query_only = ON');
    return database;
  } catch (cause) {
    throw sqliteError(cause);
  }
}

/** The version of a file that has an event log. @throws EventLogError `failed` for a file without one. */
export function versionOf(database: Database, file: string): number {
  const version = checkedVersion(database);
  if (version === 0) throw new EventLogError('failed', `event log: ${file} holds no event log`);
  return version;
}
