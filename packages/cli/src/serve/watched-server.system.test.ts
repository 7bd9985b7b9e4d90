/** Tests of what `sjp serve` reports to its operator: metrics, readiness and logs. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FOLDER, MAIN, readUntil, run, start } from '../bins.test-support.ts';
import { startServer, user } from './serve.test-support.ts';

const SECRET = 'what-a-client-says-to-its-agent';

/** The lines that a server logs while a client creates a session, sends a prompt and is refused once. */
async function logOf(flags: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const server = await startServer(flags, variables);
  const session = await server.newSession();
  await server.say(session, user(SECRET));
  const ticket = String((await server.post(`/${session}/tickets`)).body['ticket']);
  await fetch(`${server.base}/v1/code/sessions/${session}/events/stream?ticket=${ticket}`, { method: 'HEAD' });
  await fetch(`${server.base}/v1/code/sessions/${session}`, {
    headers: { authorization: 'Bearer a-wrong-token-0123' },
  });
  const { stderr } = await server.stop();
  for (const secret of [SECRET, server.token, ticket, 'a-wrong-token']) expect(stderr).not.toContain(secret);
  return { lines: stderr.split('\n').filter((line) => line !== ''), session };
}

test('requests are logged at the level debug, as text or as JSON, without tokens, tickets and messages', async () => {
  const { lines, session } = await logOf(['--log-level', 'debug']);
  const path = `/v1/code/sessions/${session}`;
  const untimed = lines.map((line) => line.replace(/[\d.]+ ms/, 'N ms'));
  expect(untimed).toEqual([
    'POST /v1/code/sessions 200 N ms',
    'stored 1 events in N ms',
    `POST ${path}/events 200 N ms`,
    `POST ${path}/tickets 200 N ms`,
    `HEAD ${path}/events/stream 405 N ms invalid_request_error`,
    `GET ${path} 401 N ms authentication_error`,
  ]);
  const json = await logOf(['--log-level', 'debug', '--log-format', 'json']);
  const entries = json.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(entries.every(({ time }) => !Number.isNaN(Date.parse(String(time))))).toBe(true);
  expect(entries[0]).toMatchObject({ level: 'debug', event: 'request', method: 'POST', status: 200 });
  expect(entries[1]).toMatchObject({ level: 'debug', event: 'append', events: 1 });
  expect(entries.at(-1)).toMatchObject({ status: 401, error: 'authentication_error' });
});

test('each event that the log had already is a line at the level debug', async () => {
  const server = await startServer([], { DEBUG: 'sjp:store' });
  const session = await server.newSession();
  const repeated = user('go');
  for (let time = 0; time < 3; time++) await server.say(session, repeated, user('new'));
  const lines = (await server.stop()).stderr.split('\n').filter((line) => line !== '');
  expect(lines.map((line) => line.replace(/ in .*/, ''))).toEqual([
    'stored 2 events',
    'stored 1 events',
    'dropped a duplicate event',
    'stored 1 events',
    'dropped a duplicate event',
  ]);
});

test('without a level, requests are not logged; DEBUG selects what is logged', async () => {
  expect((await logOf([])).lines).toEqual([]);
  expect((await logOf([], { DEBUG: 'sjp:store' })).lines).toEqual([expect.stringMatching(/^stored 1 events/)]);
  expect((await logOf([], { SJP_LOG_LEVEL: 'debug', DEBUG: 'other' })).lines).toHaveLength(6);
});

test('a JSON log has the address and the file of the token, but never the token', async () => {
  const child = start(MAIN, ['serve', '--listen', '127.0.0.1:0', '--store', 'memory', '--log-format', 'json']);
  const lines: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => lines.push(text));
  await expect.poll(() => lines.join('')).toContain('"listening"');
  child.kill('SIGTERM');
  await expect.poll(() => child.exitCode).toBe(0);
  const [first, second] = lines
    .join('')
    .split('\n')
    .map((line) => (line === '' ? {} : (JSON.parse(line) as object)));
  const tokenFile = join(FOLDER, 'token');
  expect(first).toMatchObject({
    level: 'info',
    event: 'listening',
    tokenFile,
    store: expect.stringContaining('memory'),
  });
  expect(second).toMatchObject({ level: 'info', event: 'draining', signal: 'SIGTERM' });
  expect(lines.join('')).not.toContain(readFileSync(tokenFile, 'utf8').trim());
});

test('a failure to start is a line of the log', async () => {
  const args = ['serve', '--listen', '127.0.0.1:0', '--store', '/no/such/folder/x.db', '--log-format', 'json'];
  const { stderr, code } = await run(MAIN, args);
  expect(code).toBe(2);
  expect(JSON.parse(stderr)).toMatchObject({ level: 'error', event: 'failed', code: 'failed' });
});

test('figures are served to holders of a token that the first start makes for its owner alone', async () => {
  const file = join(FOLDER, 'metrics-token');
  const server = await startServer(['--metrics-token-file', file]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const session = await server.newSession();
  await server.say(session, user('hello'));
  const read = (token: string) => fetch(`${server.base}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  expect((await read(server.token)).status).toBe(401);
  const answer = await read(readFileSync(file, 'utf8').trim());
  expect(answer.status).toBe(200);
  expect(await answer.text()).toMatch(/^sjp_events_appended_total 1$/m);
  expect((await fetch(`${server.base}/readyz`)).status).toBe(200);
});

test('a server without a token for figures has none, and a file without a token is wrong usage', async () => {
  const server = await startServer();
  expect((await server.call('/../../../metrics')).status).toBe(404);
  const file = join(FOLDER, 'no-token');
  writeFileSync(file, 'short\n');
  const { stderr, code } = await run(MAIN, ['serve', '--listen', '127.0.0.1:0', '--metrics-token-file', file]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('does not contain a token')]);
});

test('a server that shuts down is not ready', async () => {
  const server = await startServer([
    '--',
    process.execPath,
    '-e',
    'process.stdin.resume(); process.stdin.on("end", () => setTimeout(() => {}, 1000))',
    '--',
  ]);
  await server.newSession();
  const draining = readUntil(server.child, '"draining"');
  server.child.kill('SIGTERM');
  await draining;
  await expect.poll(async () => (await fetch(`${server.base}/readyz`).catch(() => ({ status: 503 }))).status).toBe(503);
});
