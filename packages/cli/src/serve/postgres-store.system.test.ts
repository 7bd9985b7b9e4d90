/** Tests of `sjp serve --store postgres://…`. */
import { postgresForTests } from '@proto/test-support/postgres-for-tests';
import { describe, expect, test } from 'vitest';
import { MAIN, outcomeOf, run } from '../bins.test-support.ts';
import { startServer, user } from './serve.test-support.ts';

const postgres = postgresForTests();

/** The address as passed to the command, and the variable that contains the password. */
function storeOf() {
  const url = new URL(postgres().url);
  const PGPASSWORD = decodeURIComponent(url.password);
  url.password = '';
  return { store: url.href, PGPASSWORD };
}

describe.skipIf(!postgres.isInstalled)('serve --store postgres://…', () => {
  test('needs the tables, and says how they are made', { timeout: 20_000 }, async () => {
    const { store, PGPASSWORD } = storeOf();
    const { stderr, code } = await run(MAIN, ['serve', '--listen', '127.0.0.1:0', '--store', store], '', {
      PGPASSWORD,
    });
    expect(stderr).toMatch(/^sjp serve: .*; sjp store migrate creates the tables/);
    expect(code).toBe(1);
  });

  test('keeps the acknowledged messages when it is killed', { timeout: 30_000 }, async () => {
    const { store, PGPASSWORD } = storeOf();
    const withPassword = await run(MAIN, ['store', 'migrate', postgres().url]);
    expect(withPassword).toMatchObject({ code: 1, stderr: expect.stringContaining('PGPASSWORD') });
    expect(withPassword.stderr).not.toContain(PGPASSWORD);
    for (const _ of ['the tables are made', 'and are left as they are']) {
      expect(await run(MAIN, ['store', 'migrate', store], '', { PGPASSWORD })).toMatchObject({ code: 0 });
    }
    const first = await startServer(['--store', store], { PGPASSWORD });
    expect(first.store).toBe(store);
    expect(first.store).not.toContain(PGPASSWORD);
    const session = await first.newSession();
    expect((await first.say(session, user('one'), user('two'))).status).toBe(200);
    const killed = outcomeOf(first.child, '');
    first.child.kill('SIGKILL');
    await killed;
    const second = await startServer(['--store', store], { PGPASSWORD });
    expect(await second.logOf(session)).toMatchObject([
      { message: { content: 'one' } },
      { message: { content: 'two' } },
    ]);
    expect(await second.stop()).toMatchObject({ code: 0 });
  });

  test('a database that cannot be reached is not an error of the command line', { timeout: 20_000 }, async () => {
    const { code, stderr } = await run(MAIN, [
      'serve',
      '--listen',
      '127.0.0.1:0',
      '--store',
      'postgres://u@127.0.0.1:1/x',
    ]);
    expect(stderr).toMatch(/ECONNREFUSED/);
    expect(code).toBe(1);
  });
});
