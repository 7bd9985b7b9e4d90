import type { EventLog } from '../log/event-log.ts';
import { createMemoryEventLog } from '../log/memory-event-log.ts';
import { openSqliteEventLog } from '../log/sqlite-event-log.ts';
import type { ServeOptions } from './serve-options.ts';

/** Opens the store of a server. Rejects as `openSqliteEventLog` and the given `open` do. */
export async function openStore({ store, retention = {}, onWarning }: ServeOptions): Promise<EventLog> {
  if (store === 'memory') return createMemoryEventLog(retention);
  if ('open' in store) return store.open(retention);
  return openSqliteEventLog({ file: store.file, ...retention, ...(onWarning && { onWarning }) });
}
