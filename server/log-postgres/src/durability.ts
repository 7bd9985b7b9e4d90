import type { ClientBase } from 'pg';
import type { DurabilityWarning } from './options.ts';

/**
 * Values of `synchronous_commit` with which a commit does not wait for a standby's disk. `off` is not in this set, because every connection replaces
 * `off` with `on`.
 */
const WEAK = new Set(['local', 'remote_write']);

/** Compares the settings of the server with the settings that a store's promises require. */
export async function checkDurability(client: ClientBase): Promise<DurabilityWarning[]> {
  const { rows } = await client.query<Record<string, string>>(
    `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
       current_setting('synchronous_commit') AS synchronous_commit, current_setting('synchronous_standby_names') AS standbys,
       (SELECT count(*) FROM pg_stat_replication AS sender WHERE state = 'streaming' AND NOT EXISTS (
         SELECT FROM pg_replication_slots AS slot WHERE slot.active_pid = sender.pid AND slot_type = 'logical'))::text AS streaming`,
  );
  const { fsync, full_page_writes, synchronous_commit = '', standbys = '', streaming } = rows[0] ?? {};
  const warnings: DurabilityWarning[] = [];
  if (fsync === 'off') {
    warnings.push({
      setting: 'fsync',
      value: 'off',
      message: 'acknowledged events may be lost in a crash: set fsync = on',
    });
  }
  if (full_page_writes === 'off') {
    const message = 'a crash may damage pages of the tables: set full_page_writes = on';
    warnings.push({ setting: 'full_page_writes', value: 'off', message });
  }
  if (standbys !== '' && WEAK.has(synchronous_commit)) {
    const message = 'acknowledged events may be missing after a failover: set synchronous_commit = on or remote_apply';
    warnings.push({ setting: 'synchronous_commit', value: synchronous_commit, message });
  }
  if (standbys === '' && Number(streaming) > 0) {
    const message =
      'writes do not wait for the standby, so acknowledged events may be missing when it is promoted: add the standby to synchronous_standby_names';
    warnings.push({ setting: 'synchronous_standby_names', value: '', message });
  }
  return warnings;
}
