/** What the settings of a server mean for what was acknowledged, and what the address and the environment say about passwords. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresForTests } from '@proto/test-support/postgres-for-tests';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openPool } from './database.ts';
import { migratePostgres } from './migrate.ts';
import { connect, eventOf, openNodes } from './nodes.test-support.ts';
import { openPostgresEventLog } from './postgres-event-log.ts';

const server = postgresForTests({ fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' });

/** The address without its password, and the password. */
function split() {
  const url = new URL(server().url);
  const password = decodeURIComponent(url.password);
  url.password = '';
  return { url: url.href, password };
}

const textOf = (error: unknown): string => (error instanceof Error ? `${error.stack} ${textOf(error.cause)}` : '');

describe.skipIf(!server.isInstalled)('settings of PostgreSQL', () => {
  test('settings with which a crash loses data are reported before the log is used', async () => {
    const onWarning = vi.fn();
    await openNodes(1, { url: server().url, onWarning });
    expect(onWarning.mock.calls.map(([{ setting, value }]) => [setting, value])).toEqual([
      ['fsync', 'off'],
      ['full_page_writes', 'off'],
    ]);
  });

  test.each(['local', 'remote_write'])('with standbys, synchronous_commit = %s is reported', async (value) => {
    const admin = await connect(server().url);
    const set = async (name: string, to: string) => {
      await admin.query(`ALTER SYSTEM SET ${name} = '${to}'`);
      await admin.query('SELECT pg_reload_conf()');
    };
    // No standby has the name `nobody`, so a commit would wait forever. This test commits nothing.
    const url = `${server().url}?options=-c%20synchronous_commit%3D${value}`;
    await set('synchronous_standby_names', 'nobody');
    onTestFinished(async () => {
      await admin.query('ALTER SYSTEM RESET synchronous_standby_names');
      await admin.query('SELECT pg_reload_conf()');
    });
    const { checkDurability } = await import('./durability.ts');
    await vi.waitFor(async () => {
      const client = await connect(url);
      expect(await checkDurability(client)).toContainEqual(
        expect.objectContaining({ setting: 'synchronous_commit', value }),
      );
    });
  });

  test('a connection waits for the disk, whatever the default of the server is', async () => {
    const pool = openPool({ url: server().url });
    onTestFinished(() => pool.end());
    const { rows } = await pool.query(
      `SELECT current_setting('synchronous_commit') AS commit, current_setting('transaction_isolation') AS isolation`,
    );
    expect(rows).toEqual([{ commit: 'on', isolation: 'read committed' }]);
  });
});

describe.skipIf(!server.isInstalled)('passwords of PostgreSQL', () => {
  test('the password comes from a function, from PGPASSWORD or from the file in PGPASSFILE', async () => {
    const { url, password } = split();
    const { schema } = await openNodes(1, { url: server().url });
    const works = async (given: { password?: () => string | Promise<string> }) => {
      const log = await openPostgresEventLog({ url, schema, ...given });
      await log.append('s', [eventOf('x')]);
      await log.close();
    };
    const asked = vi.fn(async () => password);
    await works({ password: asked });
    expect(asked).toHaveBeenCalled();
    vi.stubEnv('PGPASSWORD', password);
    onTestFinished(() => void vi.unstubAllEnvs());
    await works({});
    vi.unstubAllEnvs();
    const folder = mkdtempSync(join(tmpdir(), 'password-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'pgpass');
    writeFileSync(file, `*:*:*:*:${password}\n`);
    chmodSync(file, 0o600);
    vi.stubEnv('PGPASSFILE', file);
    await works({});
  });

  test('no error has a password in it', async () => {
    const wrong = 'hunter2-and-more';
    const url = new URL(server().url);
    url.password = wrong;
    const { url: without } = split();
    const broken = `${without.replace('127.0.0.1', '[')}`.replace('sjp@', `sjp:${wrong}@`);
    for (const options of [{ url: url.href }, { url: without, password: () => wrong }, { url: broken }]) {
      for (const open of [openPostgresEventLog, migratePostgres]) {
        const error = await open(options).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        expect(error).toMatchObject({ name: 'EventLogError', code: 'failed' });
        expect(`${textOf(error)}${JSON.stringify(error)}`).not.toContain(wrong);
      }
    }
  });
});
