import type { Database } from 'libsql';
import { EventLogError } from './event-log-error.ts';
import { sqliteError } from './sqlite-error.ts';
import { migrate } from './sqlite-schema.ts';

/** Opens the file with what durability needs, and makes its tables where it is new. */
export async function openDatabase(file: string): Promise<Database> {
  const { default: Libsql } = await import('libsql').catch((cause: unknown) => {
    throw new EventLogError('not-installed', 'event log: a file needs the package libsql', { cause });
  });
  try {
    const database = new Libsql(file);
    try {
      // With a write-ahead log, FULL syncs at each commit; the default of libsql would lose the last ones with the power.
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000');
      migrate(database);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (cause) {
    throw sqliteError(cause);
  }
}
