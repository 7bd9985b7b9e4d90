/** Tests of `sjp serve`, run as a program: access, the agents that it starts, and its end. */
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { AGENT, FOLDER, lives, MAIN, outcomeOf, readUntil, run, start } from '../bins.test-support.ts';
import { until } from '../until.test-support.ts';
import { startServer, user } from './serve.test-support.ts';

/** An agent that answers each line with one message, and exits with 3 for the line `die`. */
const FRAGILE = [
  process.execPath,
  '-e',
  `process.stdin.on('data', (text) => {
    if (String(text).includes('die')) { console.error('so long'); process.exit(3); }
    console.log(JSON.stringify({ type: 'assistant', uuid: crypto.randomUUID(), text: String(process.pid), argv: process.argv.slice(1) }));
  })`,
  '--',
];

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': Buffer.alloc(16).toString('base64'),
};

/** The response status of a request with the given headers. */
function statusOf(url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('upgrade', ({ statusCode }, socket) => {
        socket.destroy();
        resolve(statusCode);
      })
      .on('error', reject)
      .end();
  });
}

describe('access to sjp serve', () => {
  verifies(
    'SAFE-1',
    'is limited to this machine, to clients with the private token, and to its own host names and pages',
    async () => {
      const server = await startServer();
      expect(server.base).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect(server.tokenFile).toBe(join(FOLDER, 'token'));
      expect(statSync(server.tokenFile).mode & 0o777).toBe(0o600);
      expect(readFileSync(server.tokenFile, 'utf8')).toBe(`${server.token}\n`);
      expect(server.token.length).toBeGreaterThanOrEqual(32);
      const id = await server.newSession();
      const url = `${server.base}/v1/code/sessions/${id}`;
      const authorization = `Bearer ${server.token}`;
      expect(await statusOf(url, { authorization })).toBe(200);
      expect(await statusOf(url, {})).toBe(401);
      expect(await statusOf(url, { authorization: `Bearer ${server.token.slice(0, -1)}x` })).toBe(401);
      expect(await statusOf(url, { authorization, host: 'evil.example' })).toBe(403);
      expect(await statusOf(url, { authorization, origin: 'https://evil.example' })).toBe(403);
      expect(await statusOf(`${server.base}/healthz`, {})).toBe(200);
      const socket = `${server.base}/v1/sessions/ws/${id}/subscribe`;
      expect(await statusOf(socket, { authorization, ...UPGRADE })).toBe(101);
      expect(await statusOf(socket, { authorization, ...UPGRADE, host: 'evil.example' })).toBe(403);
      expect(await statusOf(socket, { authorization, ...UPGRADE, origin: 'https://evil.example' })).toBe(403);
      // The next server uses the same token, so clients that reconnect are still accepted.
      expect((await startServer()).token).toBe(server.token);
    },
  );

  test('is widened only by the flags for hosts, origins and authentication', async () => {
    const server = await startServer([
      '--dangerously-no-auth',
      '--allowed-host',
      'sessions.example,other.example',
      '--allowed-origin',
      'https://app.example',
    ]);
    expect([server.token, server.tokenFile]).toEqual([null, null]);
    const url = `${server.base}/v1/code/sessions/${await server.newSession()}`;
    expect(await statusOf(url, {})).toBe(200);
    expect(await statusOf(url, { host: 'other.example' })).toBe(200);
    expect(await statusOf(url, { host: 'third.example' })).toBe(403);
    expect(await statusOf(url, { origin: 'https://app.example' })).toBe(200);
  });

  test('is granted by a token or by accounts in a file', async () => {
    const token = 'a token of my own'.replaceAll(' ', '-');
    const alone = join(FOLDER, 'own-token');
    writeFileSync(alone, `${token}\n`);
    expect(await startServer(['--token-file', alone])).toMatchObject({ token, tokenFile: alone });
    const accounts = join(FOLDER, 'accounts.json');
    writeFileSync(
      accounts,
      JSON.stringify({ accounts: [{ name: 'a', role: 'viewer', token: 'viewer-token-0123456789' }] }),
    );
    const server = await startServer(['--token-file', accounts]);
    expect(server.token).toBeNull();
    const authorization = 'Bearer viewer-token-0123456789';
    expect(await statusOf(`${server.base}/v1/code/sessions/cse_1`, { authorization })).toBe(404);
  });

  test('is refused to everybody while the accounts file is broken; the failure and the recovery are reported once', async () => {
    const file = join(FOLDER, 'breaking.json');
    const token = 'viewer-token-0123456789';
    const good = JSON.stringify({ accounts: [{ name: 'a', role: 'viewer', token }] });
    writeFileSync(file, good);
    const server = await startServer(['--token-file', file]);
    const status = () => statusOf(`${server.base}/v1/code/sessions/cse_1`, { authorization: `Bearer ${token}` });
    expect(await status()).toBe(404);
    const broken = readUntil(server.child, '"type":"error"');
    writeFileSync(file, good.slice(0, -1));
    const problem = `${file}: accounts: the content is not JSON: all requests are refused until this file is valid again`;
    expect(JSON.parse(await broken)).toEqual({ type: 'error', message: problem });
    expect(await status()).toBe(503);
    const restored = readUntil(server.child, '"type":"accounts_restored"');
    writeFileSync(file, good);
    expect(JSON.parse(await restored)).toEqual({ type: 'accounts_restored', file });
    expect(await status()).toBe(404);
    // The failure is reported only once, regardless of the number of requests.
    const { events } = await server.stop();
    expect(events.map(({ type }) => type)).toEqual(['draining', 'result']);
  });

  test.each<[what: string, args: string[], message: string]>([
    ['another machine', ['--listen', '0.0.0.0:0'], '--dangerously-listen-on-network'],
    ['no address', ['--listen', 'localhost'], '--listen must be HOST:PORT'],
    ['no age', ['--retain', 'long'], '--retain must be'],
    ['no policy', ['--restart', 'always'], '--restart must be'],
    ['no duration', ['--keepalive', '15'], '--keepalive must be a duration'],
    ['no such file', ['--token-file', '/no/such/file'], 'cannot open /no/such/file: no such file or directory'],
    ['a file without a token', ['--token-file', '/dev/null'], '/dev/null does not contain a token'],
    ['an invalid store', ['--store', '/dev/null/sessions.db'], 'event log'],
  ])('%s is wrong usage', async (_, args, message) => {
    const plain = await run(MAIN, ['serve', ...args]);
    expect(plain).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
    const { stderr } = await run(MAIN, ['serve', '--json', ...args]);
    expect(JSON.parse(stderr)).toMatchObject({ error: { message: expect.stringContaining(message) } });
  });

  test('fails with address_in_use when the port is in use', async () => {
    const { base } = await startServer();
    const { code, stderr } = await run(MAIN, ['serve', '--json', '--listen', base.slice('http://'.length)]);
    expect([code, JSON.parse(stderr)]).toMatchObject([1, { error: { code: 'address_in_use' } }]);
  });

  test('is documented on the terminal by the path of the token file, not by the token', async () => {
    const child = start(MAIN, ['serve', '--listen', '127.0.0.1:0']);
    const ended = outcomeOf(child, '');
    let written = '';
    child.stderr.on('data', (text) => (written += String(text)));
    await until(() => expect(written).toContain('sjp connect http://127.0.0.1:'));
    child.kill('SIGTERM');
    const { stdout, stderr, code } = await ended;
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain(join(FOLDER, 'token'));
    expect(stderr).not.toContain(readFileSync(join(FOLDER, 'token'), 'utf8').trim());
  });
});

describe('the agent of a session', () => {
  test('answers the clients of the session, with the flags of the protocol and without the server token', async () => {
    const server = await startServer(['--', AGENT], { SJP_TOKEN: 'not-for-agents-0123456789' });
    const session = await server.newSession();
    await server.say(session, user('/bash echo $SJP_SESSION_ID ${SJP_TOKEN-none}'));
    const asked = await until(async () => {
      const request = (await server.logOf(session)).find(({ type }) => type === 'control_request');
      expect(request).toBeDefined();
      return request as { readonly request_id: string };
    });
    const { body } = await server.call(`/${session}`);
    expect(body['session']).toMatchObject({ worker_status: 'requires_action', open_requests: 1 });
    const response = { subtype: 'success', request_id: asked.request_id, response: { behavior: 'allow' } };
    await server.say(session, { type: 'control_response', response });
    await until(async () =>
      expect(await server.logOf(session)).toContainEqual(
        expect.objectContaining({ type: 'result', result: `${session} none` }),
      ),
    );
    await until(async () =>
      expect((await server.call(`/${session}`)).body['session']).toMatchObject({ worker_status: 'idle' }),
    );
    // The log does not store stream events.
    expect((await server.logOf(session)).some(({ type }) => type === 'stream_event')).toBe(false);
  });

  verifies('SERVER-6', 'is reported dead to readers by a message, and to senders by 502', async () => {
    const server = await startServer(['--', ...FRAGILE]);
    const session = await server.newSession();
    await server.say(session, user('die'));
    await until(async () =>
      expect((await server.logOf(session)).slice(-2)).toMatchObject([
        { type: 'result', is_error: true, errors: [expect.stringContaining('exited with code 3')] },
        { type: 'system', subtype: 'agent_exited', code: 3, stderr: 'so long\n', restarting: false },
      ]),
    );
    const refused = await until(async () => {
      const answer = await server.say(session, user('anybody there?'));
      expect(answer.status).toBe(502);
      return answer;
    });
    expect(refused.body).toEqual({
      type: 'error',
      error: { type: 'agent_exited', message: 'the agent of this session exited with code 3' },
    });
    const { events, code } = await server.stop();
    expect(code).toBe(0);
    expect(events).toContainEqual({ type: 'agent_exited', session, code: 3, signal: null, restarting: false });
  });

  verifies(
    'SERVER-7',
    'is restarted as often as --restart says, and the next agent gets the open prompts',
    async () => {
      const server = await startServer(['--restart', 'on-failure:1', '--', ...FRAGILE]);
      const session = await server.newSession();
      await server.say(session, user('hello'));
      await until(async () => expect((await server.logOf(session)).at(-1)).toMatchObject({ type: 'assistant' }));
      // Neither prompt has a result, so both are sent to the next agent again, and it exits too.
      await server.say(session, user('die'));
      const exits = async () => (await server.logOf(session)).filter(({ subtype }) => subtype === 'agent_exited');
      await until(async () => expect(await exits()).toHaveLength(2));
      expect((await exits()).map(({ restarting }) => restarting)).toEqual([true, false]);
      await until(async () => expect((await server.say(session, user('x'))).status).toBe(502));
    },
  );

  test('runs again on the next server of the same store, and finishes the turn of a server that was killed', async () => {
    const store = ['--store', join(FOLDER, 'killed.db'), '--', AGENT];
    const first = await startServer(store);
    const session = await first.newSession();
    await first.say(session, user('/slow 2'));
    await until(async () =>
      expect((await first.call(`/${session}`)).body['session']).toMatchObject({ worker_status: 'running' }),
    );
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const second = await startServer(['--listen', first.base.slice('http://'.length), ...store]);
    // An agent starts only when a client reads the session.
    const reading = new AbortController();
    await fetch(`${second.base}/v1/code/sessions/${session}/events/stream`, {
      headers: { authorization: `Bearer ${second.token}` },
      signal: reading.signal,
    });
    await until(async () =>
      expect((await second.logOf(session)).at(-1)).toMatchObject({ type: 'system', subtype: 'session_state_changed' }),
    );
    const results = (await second.logOf(session)).filter(({ type }) => type === 'result');
    expect(results).toMatchObject([{ subtype: 'success', num_turns: 1 }]);
    reading.abort();
  });

  test('has the command line after --', async () => {
    const server = await startServer(['--', ...FRAGILE, '--json', '--listen', 'x']);
    const session = await server.newSession();
    await server.say(session, user('hello'));
    await until(async () =>
      expect((await server.logOf(session)).at(-1)).toMatchObject({
        argv: expect.arrayContaining(['--json', '--listen', 'x', '--output-format', 'stream-json']),
      }),
    );
  });
});

describe('the end of sjp serve', () => {
  /** A server whose agent ignores SIGTERM, as do the processes that the agent started. */
  async function busy() {
    const staying = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`;
    const program = `
      ${staying}
      const { spawn } = require('node:child_process');
      const start = (detached) => spawn(process.execPath, ['-e', ${JSON.stringify(staying)}], { stdio: 'ignore', detached }).pid;
      const pids = [process.pid, start(false), ...(process.platform === 'linux' ? [start(true)] : [])];
      console.log(JSON.stringify({ type: 'system', subtype: 'up', uuid: crypto.randomUUID(), pids }));
    `;
    const server = await startServer(['--', process.execPath, '-e', program, '--']);
    const session = await server.newSession();
    const pids = await until(async () => {
      const [up] = await server.logOf(session);
      expect(up).toMatchObject({ subtype: 'up' });
      return (up as { pids: number[] }).pids;
    });
    expect(pids.map(lives)).not.toContain(false);
    return { ...server, pids };
  }

  test('waits for running turns after a signal, and has exit code 0', async () => {
    const server = await startServer(['--', AGENT]);
    const session = await server.newSession();
    await server.say(session, user('/slow 1'));
    await until(async () =>
      expect((await server.call(`/${session}`)).body['session']).toMatchObject({ worker_status: 'running' }),
    );
    const { code, events, stderr } = await server.stop('SIGINT');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(events.slice(-3)).toEqual([
      { type: 'draining', signal: 'SIGINT' },
      { type: 'agent_exited', session, code: 0, signal: null, restarting: false },
      { type: 'result', ok: true },
    ]);
  });

  test('kills the agents and their child processes at a second signal', async () => {
    const { child, pids, stop } = await busy();
    child.kill('SIGINT');
    await readUntil(child, '"draining"');
    const { code, events } = await stop('SIGTERM');
    expect(code).toBe(143);
    expect(events.at(-1)).toEqual({ type: 'result', ok: false });
    await until(() => expect(pids.map(lives)).not.toContain(true));
  });

  test('by SIGKILL ends its agents as well', async () => {
    const { child, pids } = await busy();
    child.kill('SIGKILL');
    await until(() => expect(pids.map(lives)).not.toContain(true));
  });
});
