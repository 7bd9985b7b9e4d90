/** Tests of the commands for operators, run as programs: tokens, the sessions on a server and in a file, and copies of a file. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FOLDER, MAIN, outcomeOf, readUntil, run, start } from '../bins.test-support.ts';
import { startServer, user } from '../serve/serve.test-support.ts';

let count = 0;
const newPath = (name: string) => join(FOLDER, `${++count}-${name}`);
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const sjp = (args: readonly string[], variables: Readonly<Record<string, string>> = {}, input = '') =>
  run(MAIN, args, input, variables);

describe('sjp token', () => {
  test('new adds an account that a running server accepts, and writes the token only to its own file', async () => {
    const [accounts, out] = [newPath('accounts.json'), newPath('alice.token')];
    const made = await sjp([
      'token',
      'new',
      '--name',
      'alice',
      '--role',
      'viewer',
      '--accounts',
      accounts,
      '--out',
      out,
    ]);
    expect(made).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect([statSync(out).mode & 0o777, statSync(accounts).mode & 0o777]).toEqual([0o600, 0o600]);
    const token = readFileSync(out, 'utf8').trim();
    expect(readFileSync(accounts, 'utf8')).not.toContain(token);
    const server = await startServer(['--token-file', accounts]);
    const { code, stdout } = await sjp(['sessions', 'ls', '--url', server.base, '--token-file', out]);
    expect([code, stdout]).toEqual([0, '']);
    const again = await sjp(['token', 'new', '--out', out]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') });
    expect(readFileSync(out, 'utf8').trim()).toBe(token);
  });

  test('new without files writes the token to stdout and its entry to stderr, and inspect shows the same hash', async () => {
    const { stdout, stderr } = await sjp(['token', 'new', '--name', 'bob']);
    const { token_sha256: hash } = JSON.parse(stderr) as { token_sha256: string };
    expect(stderr).not.toContain(stdout.trim());
    const { stdout: shown } = await sjp(['token', 'inspect', '--json'], { SJP_TOKEN: stdout.trim() });
    expect(JSON.parse(shown)).toMatchObject({ kind: 'opaque', sha256: hash });
    const piped = await sjp(['token', 'inspect', '--token-file', '-'], {}, stdout);
    expect(piped.stdout).toContain(hash);
    expect(piped.stdout).not.toContain(stdout.trim());
  });

  test('a token cannot be an argument', async () => {
    const { code, stderr } = await sjp(['token', 'inspect', 'a-token-0123456789']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('too many arguments')]);
    expect(await sjp(['token', 'inspect'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the token is missing'),
    });
  });
});

describe('sjp sessions', () => {
  test('lists, shows, exports and archives the sessions of a server, with the token of the server on this machine', async () => {
    const server = await startServer();
    const id = await server.newSession();
    for (let n = 0; n < 3; n++) await server.say(id, user(`message ${n}`));
    const at = ['--url', server.base];
    const listed = await sjp(['sessions', 'ls', ...at, '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject({ sessions: [{ id, archived: false }] });
    expect((await sjp(['sessions', 'ls', ...at])).stdout).toContain(id);
    expect(JSON.parse((await sjp(['sessions', 'show', id, ...at])).stdout)).toMatchObject({ id, worker_epoch: 0 });
    const exported = linesOf((await sjp(['sessions', 'export', id, ...at])).stdout);
    expect(exported.map(({ sequence_num }) => sequence_num)).toEqual([1, 2, 3]);
    expect(exported[0]).toMatchObject({ source: 'client', payload: { message: { content: 'message 0' } } });
    const refused = await sjp(['sessions', 'rm', id, ...at]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('`sjp sessions archive`') });
    expect((await server.say(id, user('not yet late'))).status).toBe(200);
    expect((await sjp(['sessions', 'archive', id, ...at])).stdout).toBe(`${id} was archived\n`);
    expect((await server.say(id, user('late'))).status).toBe(410);
  });

  test('tail writes new events until a signal', async () => {
    const server = await startServer();
    const id = await server.newSession();
    await server.say(id, user('before'));
    const child = start(MAIN, ['sessions', 'tail', id, '--url', server.base]);
    // The command begins to follow the server only after the first answer, so the test sends the message repeatedly until the message is shown.
    const seen = readUntil(child, 'after');
    const sending = setInterval(() => void server.say(id, user('after')), 200);
    const text = await seen;
    clearInterval(sending);
    const ended = outcomeOf(child, '');
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    expect(text).not.toContain('before');
  });

  test('a forbidden action and a missing session have the exit codes of a client', async () => {
    const server = await startServer();
    const at = ['--url', server.base];
    expect(await sjp(['sessions', 'show', 'cse_none', ...at])).toMatchObject({ code: 4 });
    expect(await sjp(['sessions', 'ls', ...at], { SJP_TOKEN: 'a-wrong-token-01234' })).toMatchObject({ code: 3 });
    expect(await sjp(['sessions', 'show', '../x', ...at])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('letters'),
    });
    expect(await sjp(['sessions', 'ls', '--url', 'http://127.0.0.1:1', '--json'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('"unreachable"'),
    });
  });
});

describe('sjp store', () => {
  test('backs up the store of a running server, restores it, and the next server has its sessions', async () => {
    const [file, copy] = [newPath('sessions.db'), newPath('copy.db')];
    const server = await startServer(['--store', file]);
    const id = await server.newSession();
    await server.say(id, user('kept'));
    const backup = await sjp(['store', 'backup', file, copy, '--json']);
    expect(backup.code).toBe(0);
    expect(JSON.parse(backup.stdout)).toEqual({ copy, sessions: 1, events: 1, problems: [] });
    await server.say(id, user('lost'));
    const inUse = await sjp(['store', 'restore', copy, file, '--replace']);
    expect(inUse).toMatchObject({ code: 1, stderr: expect.stringContaining('is in use by another server') });
    await server.stop();
    expect(await sjp(['store', 'restore', copy, file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already exists'),
    });
    const restored = await sjp(['store', 'restore', copy, file, '--replace']);
    expect(restored.stdout).toMatch(/contains 1 sessions and 1 events; the previous store is now .*\.replaced-/);
    const next = await startServer(['--store', file]);
    expect(await next.logOf(id)).toMatchObject([{ message: { content: 'kept' } }]);
  });

  test('checks and migrates a store, and reads and deletes the sessions in it', async () => {
    const file = newPath('sessions.db');
    const server = await startServer(['--store', file]);
    const id = await server.newSession();
    await server.say(id, user('kept'));
    await server.stop();
    expect((await sjp(['store', 'check', file])).stdout).toMatch(/: version 4, 1 sessions, 1 events, \d+ bytes\n$/);
    expect((await sjp(['store', 'migrate', file])).stdout).toContain('already has version 4');
    expect(linesOf((await sjp(['sessions', 'export', id, '--store', file])).stdout)).toHaveLength(1);
    const refused = await sjp(['sessions', 'archive', id, '--store', file]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('`sjp sessions rm`') });
    expect((await sjp(['sessions', 'rm', id, '--store', file])).stdout).toBe(`${id} was removed\n`);
    expect((await sjp(['sessions', 'ls', '--store', file, '--json'])).stdout).toBe('{"sessions":[],"problems":[]}\n');
  });

  test('a file that is not a store is an error', async () => {
    const file = newPath('text');
    writeFileSync(file, 'text');
    const { code, stderr } = await sjp(['store', 'check', file, '--json']);
    expect([code, JSON.parse(stderr)]).toMatchObject([1, { error: { code: 'failed' } }]);
  });
});
