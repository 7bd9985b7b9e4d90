/** Checks that a server answers as the tables of rights in docs/security.md say, and that the tests the document names exist. */
import { existsSync, readFileSync } from 'node:fs';
import { createAccounts, createMemoryEventLog, type IngressServer, listen } from '@proto/ingress';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { TOKENS } from '../remote/remote-session.ts';

const ROOT = new URL('../../', import.meta.url);
const lines = readFileSync(new URL('docs/security.md', ROOT), 'utf8').split('\n');

/** Returns the rows of the table whose head begins with this cell. */
function tableOf(first: string): readonly (readonly string[])[] {
  const cells = (line: string) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
  const start = lines.findIndex((line) => line.startsWith(`| ${first} |`));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  const [head = [], , ...rows] = lines.slice(start, end).map(cells);
  for (const row of rows) expect(row).toHaveLength(head.length);
  return [head, ...rows];
}

type Json = Readonly<Record<string, unknown>>;

let server: IngressServer | undefined;
afterAll(() => server?.close());

/** One server for all rows. */
async function startOnce(): Promise<IngressServer> {
  const roles = ['driver', 'approver', 'viewer'] as const;
  const metrics = { token: 'collector-token-0123456789', read: async () => ({ contentType: 'text/plain', text: '' }) };
  const elsewhere = { name: 'elsewhere', role: 'driver', token: ELSEWHERE, sessions: ['cse_elsewhere'] } as const;
  const accounts = await createAccounts([
    ...roles.map((role) => ({ name: role, role, token: TOKENS[role] })),
    elsewhere,
  ]);
  return (server ??= await listen({ log: createMemoryEventLog(), accounts, metrics }));
}

const ELSEWHERE = 'elsewhere-token-0123456789';

async function call(method: string, path: string, token: string, body?: Json) {
  const { url } = await startOnce();
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const init = { method, headers, signal: leaving.signal, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(url + path, init);
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  const answer = isStream ? {} : ((await response.json()) as Json);
  leaving.abort();
  return { status: response.status, answer };
}

/** Creates a session with a worker that has the lease. */
async function newSession() {
  const made = await call('POST', '/v1/code/sessions', TOKENS.driver, {});
  const { id } = made.answer['session'] as { readonly id: string };
  const base = `/v1/code/sessions/${id}`;
  const { worker_jwt, worker_epoch } = (await call('POST', `${base}/bridge`, TOKENS.driver, {})).answer;
  return { id, base, worker: String(worker_jwt), epoch: worker_epoch };
}

type Session = Awaited<ReturnType<typeof newSession>>;

/** Opens a WebSocket. `outcome` is the close code, or `yes` once the server has answered a ping. */
async function openSocket(path: string, token: string) {
  const { url } = await startOnce();
  const socket = new WebSocket(url.replace('http', 'ws') + path, { headers: { authorization: `Bearer ${token}` } });
  onTestFinished(() => socket.terminate());
  socket.on('error', () => {});
  const frames: string[] = [];
  socket.on('message', (data: Buffer) => void frames.push(data.toString()));
  const closed = new Promise<string>((resolve) => void socket.once('close', (code) => resolve(String(code))));
  const opened = new Promise<string>((resolve) => {
    socket.once('open', () => socket.ping());
    socket.once('pong', () => resolve('yes'));
  });
  // The close code of a refusal arrives before the answer to the ping.
  return { socket, frames, closed, outcome: await Promise.race([closed, opened]) };
}

/** What each request needs to be accepted. */
function bodyOf(path: string, { epoch, worker }: Session): Json {
  if (path.endsWith('/renew')) return { worker_jwt: worker, worker_epoch: epoch };
  if (path.endsWith('/delivery')) return { worker_epoch: epoch, updates: [] };
  return path.includes('/worker') || path.endsWith('/events') ? { worker_epoch: epoch, events: [] } : {};
}

describe('rights', () => {
  const [[, ...who] = [], ...rows] = tableOf('what');
  const cells = rows.flatMap(([what = '', ...rights]) =>
    rights.map((right, index) => ({ what, who: who[index], right })),
  );

  test('the table has rows', () => expect(cells.length).toBeGreaterThan(100));

  test.each(cells)('$what as $who: $right', async ({ what, who: role, right }) => {
    const [session, other] = [await newSession(), await newSession()];
    const tokens: Readonly<Record<string, string>> = {
      ...TOKENS,
      worker: session.worker,
      'driver elsewhere': ELSEWHERE,
      'worker elsewhere': other.worker,
      nobody: 'a-token-that-nobody-has',
    };
    const token = tokens[String(role)] as string;
    const [, kind = '', method, written = ''] = /^(WebSocket )?`(?:([A-Z]+) )?(\S+)`$/.exec(what) ?? [];
    const path = written.replace('ID', session.id);
    if (kind !== undefined && kind !== '') {
      expect((await openSocket(path, token)).outcome).toBe(right);
      return;
    }
    const { status } = await call(String(method), path, token, method === 'GET' ? undefined : bodyOf(path, session));
    expect(status >= 200 && status < 300 ? 'yes' : String(status)).toBe(right);
  });
});

const request = (uuid: string, members: Json) => ({
  type: 'control_request',
  request_id: uuid,
  request: members,
  uuid,
});
const MESSAGES: Readonly<Record<string, (uuid: string) => Json>> = {
  'a prompt': (uuid) => ({ type: 'user', message: { role: 'user', content: 'hello' }, uuid }),
  'an answer to a question of the agent': (uuid) => ({
    type: 'control_response',
    response: { subtype: 'success', request_id: 'asked', response: { behavior: 'allow', updatedInput: {} } },
    uuid,
  }),
  'an `initialize` that says what the client can show': (uuid) =>
    request(uuid, { subtype: 'initialize', promptSuggestions: true }),
  'an `initialize` that changes the agent': (uuid) => request(uuid, { subtype: 'initialize', hooks: {} }),
  'an interrupt': (uuid) => request(uuid, { subtype: 'interrupt' }),
  'a change of the permission mode': (uuid) =>
    request(uuid, { subtype: 'set_permission_mode', mode: 'bypassPermissions' }),
  'the cancellation of a request': (uuid) => ({ type: 'control_cancel_request', request_id: 'asked', uuid }),
  'a message of an unknown type': (uuid) => ({ type: 'of_a_later_version', uuid }),
};

/** Creates a session whose agent was initialized by the driver and asks for a permission. */
async function askingSession(): Promise<Session> {
  const session = await newSession();
  const { base, worker, epoch } = session;
  const initialize = request('first', { subtype: 'initialize' });
  await call('POST', `${base}/events`, TOKENS.driver, { events: [{ payload: initialize }] });
  const answer = { type: 'control_response', response: { subtype: 'success', request_id: 'first', response: {} } };
  const asks = { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 'toolu_1' };
  const asked = { type: 'control_request', request_id: 'asked', request: asks };
  const events = [answer, asked].map((payload) => ({ payload: { ...payload, uuid: crypto.randomUUID() } }));
  const { status } = await call('POST', `${base}/worker/events`, worker, { worker_epoch: epoch, events });
  expect(status).toBe(200);
  return session;
}

describe('messages', () => {
  const [[, ...who] = [], ...rows] = tableOf('message');
  const cells = rows.flatMap(([message = '', ...rights]) =>
    rights.map((right, index) => ({ message, who: who[index] as keyof typeof TOKENS, right })),
  );
  const storedIn = async ({ base }: Session) => {
    const { answer } = await call('GET', `${base}/events`, TOKENS.viewer);
    return (answer['data'] as { readonly event_id: string }[]).map(({ event_id }) => event_id);
  };

  test('the table lists every message', () => expect(rows.map(([message]) => message)).toEqual(Object.keys(MESSAGES)));

  test.each(cells)('$message of a $who by POST: $right', async ({ message, who: role, right }) => {
    const session = await askingSession();
    const payload = MESSAGES[message]?.('sent');
    const { status, answer } = await call('POST', `${session.base}/events`, TOKENS[role], { events: [{ payload }] });
    expect(status >= 200 && status < 300 ? 'yes' : String(status)).toBe(right);
    if (right === 'yes') expect((answer['events'] as readonly Json[])[0]).not.toHaveProperty('error');
    else expect(await storedIn(session)).not.toContain('sent');
  });

  test.each(cells)('$message of a $who by WebSocket: $right', async ({ message, who: role, right }) => {
    const session = await askingSession();
    const { socket, frames, closed } = await openSocket(`/v1/sessions/ws/${session.id}/subscribe`, TOKENS[role]);
    let code: string | undefined;
    void closed.then((given) => (code = given));
    const sent = MESSAGES[message]?.('sent');
    socket.send(`${JSON.stringify(sent)}\n`);
    const isRefused = () => {
      if (code !== undefined) return code;
      const error = '"subtype":"error","request_id":"sent"';
      return frames.some((frame) => frame.includes(error)) ? 'an error' : undefined;
    };
    if (right !== 'yes') {
      await vi.waitFor(() => expect(['4003', 'an error']).toContain(isRefused()), { timeout: 10_000 });
      expect(await storedIn(session)).not.toContain('sent');
    } else {
      // The server may answer an `initialize` itself, and then the request is not in the log.
      const isAnswered = () => frames.some((frame) => /"subtype":"success","request_id":"sent"/.test(frame));
      const isTaken = async () => isAnswered() || (await storedIn(session)).includes('sent');
      await vi.waitFor(async () => expect(await isTaken()).toBe(true), { timeout: 10_000 });
      expect(isRefused()).toBeUndefined();
    }
  });
});

describe('threats', () => {
  const rows = ['threat', 'threat to a host'].flatMap((first) => tableOf(first).slice(1));

  test.each(rows)('the row for `%s` names tests that exist', (_, stands, held = '') => {
    expect(stands).not.toBe('');
    if (held === '—') return;
    const files = Array.from(held.matchAll(/`([^`]+)`/g), ([, file = '']) => file);
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !file.endsWith('.test.ts') || !existsSync(new URL(file, ROOT)))).toEqual([]);
  });
});
