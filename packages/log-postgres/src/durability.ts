import type { ClientBase } from 'pg';
import type { DurabilityWarning } from './options.ts';

/** Compares the settings of the server with what a store promises. */
export async function checkDurability(client: ClientBase): Promise<DurabilityWarning[]> {
  const { rows } = await client.query<Record<string, string>>(
    `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
       current_setting('synchronous_commit') AS synchronous_commit, current_setting('synchronous_standby_names') AS standbys`,
  );
  const { fsync, full_page_writes, synchronous_commit = '', standbys = '' } = rows[0] ?? {};
  const warnings: DurabilityWarning[] = [];
  if (fsync === 'off') {
    warnings.push({
      setting: 'fsync',
      value: 'off',
      message: 'what was acknowledged may be lost in a crash: set fsync = on',
    });
  }
  if (full_page_writes === 'off') {
    const message = 'a crash may damage pages of the tables: set full_page_writes = on';
    warnings.push({ setting: 'full_page_writes', value: 'off', message });
  }
  if (standbys !== '' && synchronous_commit === 'local') {
    const message =
      'after a failover what was acknowledged may be missing: set synchronous_commit = on or remote_apply';
    warnings.push({ setting: 'synchronous_commit', value: 'local', message });
  }
  return warnings;
}
