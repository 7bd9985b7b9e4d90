/** The files of docs/inside-your-server.md, run with each framework: sessions over WebSockets and event streams, a session on a socket, and the end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type RunTurn, runAgent, textOf } from '@proto/agent';
import type { Transport } from '@proto/core/transport';
import { createHostSession } from '@proto/host';
import { openSession, openViewer } from '@proto/remote';
import { attachWorker } from '@proto/remote/worker';
import { createWebSocketTransport } from '@proto/transport-websocket';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { blocksOf, ROOT } from './documents.ts';

// Inside this package, so that the imports of the files resolve.
const folder = mkdtempSync(fileURLToPath(new URL('run-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true }));

const names = blocksOf(readFileSync(join(ROOT, 'docs/inside-your-server.md'), 'utf8')).flatMap(({ code }) => {
  const [, name] = /^\/\/ ([\w-]+\.mjs)\n/.exec(code) ?? [];
  if (name === undefined) return [];
  writeFileSync(join(folder, name), code);
  return [name];
});
const servers = names.filter((name) => name.startsWith('with-'));

const token = 'the-token-of-alice';
const headers = { authorization: `Bearer ${token}` };
// Longer than the default limit of frameworks for bodies.
const LONG = 'x'.repeat(3_000_000);

const countCharacters: RunTurn = async function* ({ prompt }) {
  const content = [{ type: 'text', text: `${textOf(prompt).length} characters` }];
  yield { type: 'assistant', message: { id: 'msg_1', role: 'assistant', content }, parent_tool_use_id: null };
};

async function resultOf(transport: Transport, prompt: string): Promise<unknown> {
  const host = createHostSession(transport);
  try {
    await host.prompt(prompt).accepted;
    for await (const message of host.untilResult()) {
      if (message.type === 'result' && message.subtype === 'success') return message.result;
    }
    return undefined;
  } finally {
    await host.close();
  }
}

/** Why a WebSocket was not accepted. */
async function refusalOf(url: string, options = {}): Promise<string> {
  const [{ message }] = (await once(new WebSocket(url, options), 'error')) as [Error];
  return message;
}

test('the page has a server for each framework', () => {
  expect(servers).toEqual(['with-hono.mjs', 'with-express.mjs', 'with-fastify.mjs']);
});

describe.each(servers)('%s', (name) => {
  let server: ChildProcess;
  let base = '';
  let sockets = '';
  beforeEach(async () => {
    const env = { ...process.env, PORT: '0' };
    const child = spawn(process.execPath, [name], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    server = child;
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const [, port] = /^listening on port (\d+)$/.exec(line) ?? [];
    base = `http://127.0.0.1:${port}`;
    sockets = `ws://127.0.0.1:${port}`;
  }, 30_000);
  afterEach(() => void server.kill('SIGKILL'));

  test('answers its own addresses, and leaves those of sessions to the ingress', async () => {
    expect(await (await fetch(base)).text()).toBe('my own page');
    const json = { 'content-type': 'application/json' };
    const echo = await fetch(`${base}/echo`, { method: 'POST', headers: json, body: '{"a":1}' });
    expect(await echo.json()).toEqual({ a: 1 });
    expect((await fetch(`${base}/elsewhere`)).status).toBe(404);
    const refused = await fetch(`${base}/v1/code/sessions`);
    expect([refused.status, await refused.json()]).toMatchObject([401, { error: { type: 'authentication_error' } }]);
    const unknown = await fetch(`${base}/v1/elsewhere`, { headers });
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { type: 'not_found_error' } }]);
  });

  test.each(['ws', 'sse'] as const)(
    'carries a long prompt and its result over %s, and ends while the worker is attached',
    async (prefer) => {
      const { id, url } = await openSession({ base, session: 'new', token });
      const worker = attachWorker({ url: `${base}/v1/code/sessions/${id}`, token });
      const ended = runAgent(worker, { runTurn: countCharacters });
      const viewer = openViewer({ url, prefer, credential: () => token });
      expect(await resultOf(viewer, LONG)).toBe('3000000 characters');

      server.kill('SIGTERM');
      expect(await once(server, 'exit')).toEqual([0, null]);
      // The worker may have reports left, for which `close` would wait until a server takes them.
      worker.abort();
      await expect(ended).rejects.toThrow('aborted');
    },
    60_000,
  );

  test('gives a WebSocket with the token an agent, and refuses others', async () => {
    const socket = new WebSocket(`${sockets}/agent`, ['sjp.v1'], { headers });
    expect(await resultOf(createWebSocketTransport(socket), 'hello')).toBe('You said: hello');
    expect(await refusalOf(`${sockets}/agent`)).toContain('401');
    expect(await refusalOf(`${sockets}/elsewhere`, { headers })).toContain('socket hang up');
  });
});
