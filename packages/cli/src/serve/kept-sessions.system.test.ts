/** Tests how `sjp serve` stores sessions: what survives a restart, who can read the files, and that only one server can hold the lock. */
import { once } from 'node:events';
import { chmodSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AGENT, FOLDER, MAIN, outcomeOf, run, start } from '../bins.test-support.ts';
import { until } from '../until.test-support.ts';
import { startServer, user } from './serve.test-support.ts';

let folders = 0;
/** The path of a state folder that does not exist yet. */
const newHome = () => join(FOLDER, `state-${++folders}`, 'sjp');
const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('serve without --store', () => {
  test('stores sessions in a file of the state folder that only its owner can use', async () => {
    const home = newHome();
    const { store, newSession } = await startServer([], { SJP_HOME: home });
    await newSession();
    expect(store).toBe(join(home, 'sessions.db'));
    expect(modeOf(home)).toBe(0o700);
    const names = readdirSync(home);
    expect(names).toEqual(expect.arrayContaining(['sessions.db', 'sessions.db-lock', 'sessions.db-wal', 'token']));
    expect(names.map((name) => [name, modeOf(join(home, name))])).toEqual(names.map((name) => [name, 0o600]));
  });

  test('prints the path of the file', async () => {
    const home = newHome();
    const child = start(MAIN, ['serve', '--listen', '127.0.0.1:0'], { SJP_HOME: home });
    onTestFinished(() => void child.kill('SIGKILL'));
    let written = '';
    child.stderr.on('data', (text) => (written += String(text)));
    await until(() => expect(written).toContain('connect '));
    expect(written).toContain(`sessions   ${join(home, 'sessions.db')}\n`);
  });

  test('continues with the sessions, events and worker tokens of a server that was killed', async () => {
    const home = { SJP_HOME: newHome() };
    const first = await startServer([], home);
    const session = await first.newSession();
    await first.say(session, user('kept'));
    const { body } = await first.post(`/${session}/bridge`);
    const statusOfWorker = async (base: string) => {
      const headers = { authorization: `Bearer ${String(body['worker_jwt'])}` };
      return (await fetch(`${base}/v1/code/sessions/${session}/worker`, { headers })).status;
    };
    expect(await statusOfWorker(first.base)).toBe(200);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const second = await startServer([], home);
    expect(second.token).toBe(first.token);
    expect(await second.logOf(session)).toMatchObject([{ type: 'user', message: { content: 'kept' } }]);
    expect(await statusOfWorker(second.base)).toBe(200);
    expect((await second.say(session, user('more'))).body).toMatchObject({ events: [{ sequence_num: 2 }] });
  });

  test('continues a conversation with an agent after a requested stop', async () => {
    const home = { SJP_HOME: newHome() };
    const first = await startServer(['--', AGENT], home);
    const session = await first.newSession();
    const results = async ({ logOf }: typeof first) =>
      (await logOf(session)).filter(({ type }) => type === 'result').map(({ result }) => result);
    await first.say(session, user('/echo one'));
    await until(async () => expect(await results(first)).toEqual(['one']));
    expect((await first.stop()).code).toBe(0);
    const second = await startServer(['--', AGENT], home);
    await second.say(session, user('/echo two'));
    await until(async () => expect(await results(second)).toEqual(['one', 'two']));
  });

  test('refuses a second server on the same file, and names --store', async () => {
    const home = { SJP_HOME: newHome() };
    await startServer([], home);
    const args = ['serve', '--listen', '127.0.0.1:0'];
    const plain = await run(MAIN, args, '', home);
    expect(plain).toMatchObject({ code: 1, stdout: '' });
    expect(plain.stderr).toMatch(
      /^sjp serve: .*sessions\.db is in use by another server.*--store FILE.*--store memory/,
    );
    const json = await run(MAIN, [...args, '--json'], '', home);
    expect(JSON.parse(json.stderr)).toMatchObject({
      error: {
        code: 'in-use',
        message: expect.stringContaining('in use'),
        hint: expect.stringContaining('--store FILE'),
      },
    });
    await startServer(['--store', join(home.SJP_HOME, 'other.db')], home);
    await startServer(['--store', 'memory'], home);
  });

  test('exits when libsql cannot be loaded, names both remedies, and does not fall back to memory', async () => {
    const hook = `export const resolve = (name, context, next) => { if (name === 'libsql') throw new Error('not here'); return next(name, context); }`;
    const source = `import { register } from 'node:module'; register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hook)}));`;
    const variables = {
      SJP_HOME: newHome(),
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}`,
    };
    const { code, stderr, stdout } = await run(MAIN, ['serve', '--listen', '127.0.0.1:0'], '', variables);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/libsql, which cannot be loaded.*install libsql.*--store memory/);
    const memory = start(MAIN, ['serve', '--listen', '127.0.0.1:0', '--store', 'memory'], variables);
    const ended = outcomeOf(memory, '');
    let written = '';
    memory.stderr.on('data', (text) => (written += String(text)));
    await until(() => expect(written).toContain('memory, until this process ends'));
    memory.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });
});

describe.skipIf(process.platform === 'win32')('a file that other users can access', () => {
  test('causes a warning on stderr with the command that repairs it', async () => {
    const home = newHome();
    await (await startServer([], { SJP_HOME: home })).stop();
    const store = join(realpathSync(home), 'sessions.db');
    const accounts = join(home, 'my accounts.json');
    const account = { name: 'a', role: 'viewer', token: 'viewer-token-0123456789' };
    writeFileSync(accounts, JSON.stringify({ accounts: [account] }));
    for (const file of [store, accounts]) chmodSync(file, 0o640);
    const server = await startServer(['--token-file', accounts], { SJP_HOME: home });
    const { stderr, code } = await server.stop();
    expect(code).toBe(0);
    expect(
      stderr
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { warning: { code: 'open_to_others', message: expect.stringContaining(`chmod 600 '${accounts}'`) } },
      { warning: { code: 'open_to_others', message: expect.stringContaining(`(mode 640): run chmod 600 ${store}`) } },
    ]);
    for (const file of [store, accounts]) chmodSync(file, 0o600);
    expect((await (await startServer(['--token-file', accounts], { SJP_HOME: home })).stop()).stderr).toBe('');
  });
});

test('a store that cannot be opened is reported with its file and the reason', { timeout: 20_000 }, async () => {
  const { stderr, code } = await run(MAIN, ['serve', '--listen', '127.0.0.1:0', '--store', '/no/such/folder/x.db']);
  expect(stderr).toBe(
    'sjp serve: event log: /no/such/folder/x.db cannot be used: the folder /no/such/folder does not exist (ENOENT)\n',
  );
  expect(code).toBe(2);
});
