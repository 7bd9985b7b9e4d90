import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { stateDirectory } from '@proto/headless';
import { createMemoryEventLog, type EventLog, openSqliteEventLog } from '@proto/ingress';
import { adviceOn } from '@proto/terminal/process';
import type { Warn } from './serve-report.ts';
import type { ServePlan } from './serve-plan.ts';

/** Where sessions are kept, opened. */
export interface OpenStore {
  readonly log: EventLog;
  /** The file or the database, as people read it. */
  readonly name: string;
}

/** Opens the store of a server. Makes the state folder, for its owner alone, where the server's own file is used. */
export async function openStore(
  { store, retention }: ServePlan,
  { cwd, env, warn }: { cwd: string; env: Readonly<Record<string, string | undefined>>; warn: Warn },
): Promise<OpenStore> {
  if (store === 'memory') return { log: createMemoryEventLog(retention), name: 'memory, until this process ends' };
  if (store !== 'own' && 'postgres' in store) return openDatabase(store.postgres, retention, warn);
  const file = store === 'own' ? await ownFile(cwd, env) : store.file;
  const onWarning = (warning: { file: string; mode: number }) =>
    warn('open_to_others', adviceOn(warning.file, warning.mode));
  return { log: await openSqliteEventLog({ file, ...retention, onWarning }), name: file };
}

async function ownFile(cwd: string, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const folder = stateDirectory(cwd, env);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(folder, 'sessions.db');
}

/** Loads the client of PostgreSQL only for a server that needs it. */
async function openDatabase(url: string, retention: ServePlan['retention'], warn: Warn): Promise<OpenStore> {
  const { openPostgresEventLog } = await import('@proto/log-postgres');
  const onWarning = ({ setting, message }: { setting: string; message: string }) => warn(setting, message);
  try {
    return { log: await openPostgresEventLog({ url, ...retention, onWarning }), name: url };
  } catch (error) {
    // A database that is away is no mistake on the command line, as a file that cannot be opened is.
    const { code, message } = error as { code?: string; message: string };
    throw Object.assign(new Error(message, { cause: error }), { code: code === 'version' ? 'not-migrated' : 'store' });
  }
}
