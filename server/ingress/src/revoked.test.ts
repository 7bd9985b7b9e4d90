/** Tests of accounts that are revoked while their connections are open. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Account, type Accounts, AccountsError } from './auth/accounts.ts';
import { readFrames, startIngress, user } from './ingress.test-support.ts';
import { createMemoryEventLog } from './log/memory-event-log.ts';
import { later, start } from './socket/socket-suite.test-support.ts';
import { follow } from './socket/socket.test-support.ts';

afterEach(() => void vi.useRealTimers());

const TOKEN = { stays: 'token-of-who-stays', leaves: 'token-of-who-leaves' };

/** Two drivers, one of whom can be revoked. */
function leaving() {
  const gone = { is: false };
  const [stays, leaves]: readonly Account[] = [
    { name: 'stays', role: 'driver' },
    { name: 'leaves', role: 'driver' },
  ];
  const accounts: Accounts = {
    authenticate: async (token) =>
      token === TOKEN.stays ? stays : token === TOKEN.leaves && !gone.is ? leaves : undefined,
    isCurrent: async (account) => account === stays || !gone.is,
  };
  return { gone, accounts };
}

test('event streams of a revoked account end within a minute, also those opened by a ticket; other streams continue', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { gone, accounts } = leaving();
  const { call, request } = await startIngress({ accounts });
  const made = await call('/v1/code/sessions', { token: TOKEN.stays, json: {} });
  const base = `/v1/code/sessions/${(made.body['session'] as { id: string }).id}`;
  const open = async (init: Parameters<typeof request>[1], query = '') =>
    readFrames(await request(`${base}/events/stream${query}`, { method: 'GET', ...init }));
  const { ticket } = (await call(`${base}/tickets`, { token: TOKEN.leaves })).body;
  const [stays, leaves, byTicket] = [
    await open({ token: TOKEN.stays }),
    await open({ token: TOKEN.leaves }),
    await open({}, `?ticket=${String(ticket)}`),
  ];
  gone.is = true;
  vi.advanceTimersByTime(60_000);
  await Promise.all([leaves.ended, byTicket.ended]);
  await call(`${base}/events`, { token: TOKEN.stays, json: { events: [{ payload: user('a') }] } });
  await stays.take(1);
});

test('a revoked account can send nothing over an open WebSocket, which is closed with a permanent code', async () => {
  const driver = { name: 'driver', role: 'driver' } as const;
  let isCurrent = true;
  const { newSession } = await start({
    accounts: { authenticate: async () => driver, isCurrent: async () => isCurrent },
  });
  const session = await newSession();
  const viewer = later(session.view());
  await viewer.opened;
  viewer.say(user('one'));
  await viewer.take(1);
  isCurrent = false;
  viewer.say(user('two'));
  expect(await viewer.closed).toBe(4003);
  expect(await session.events()).toHaveLength(1);
});

/** A driver whose account can be revoked, change its role, or be unavailable. */
function changing() {
  const state: { now: 'current' | 'revoked' | 'unavailable'; role: Account['role'] } = {
    now: 'current',
    role: 'driver',
  };
  const trouble = new AccountsError('the accounts are elsewhere');
  const changed = new Set<Parameters<NonNullable<Accounts['watch']>>[0]>();
  const respond = <Answer>(answer: Answer) =>
    state.now === 'unavailable' ? Promise.reject(trouble) : Promise.resolve(answer);
  const accounts: Accounts = {
    authenticate: (token) =>
      respond<Account | undefined>(
        token !== TOKEN.leaves || state.now === 'revoked' ? undefined : { name: 'leaves', role: state.role },
      ),
    isCurrent: ({ role }) => respond(state.now === 'current' && role === state.role),
    watch(onChange) {
      changed.add(onChange);
      return () => void changed.delete(onChange);
    },
  };
  const change = (now: typeof state.now) => {
    state.now = now;
    for (const onChange of changed) onChange(now === 'unavailable' ? trouble : undefined);
  };
  return { state, trouble, accounts, change, changed };
}

/** A session of such a driver over real sockets. */
async function startChanging() {
  const onError = vi.fn();
  const account = changing();
  const { server, newSession, call, sockets } = await start({ accounts: account.accounts, onError });
  const made = await call('/v1/code/sessions', {}, TOKEN.leaves);
  const { id } = made['session'] as { id: string };
  const base = `/v1/code/sessions/${id}`;
  const ticket = async () => String((await call(`${base}/tickets`, {}, TOKEN.leaves))['ticket']);
  const address = `${sockets}/v1/sessions/ws/${id}/subscribe`;
  return { ...account, onError, server, call, newSession, base, ticket, address };
}

describe('a ticket', () => {
  test.each(['revoked', 'role'] as const)('of an account that changed later (%s) is refused', async (what) => {
    const { state, server, base, ticket, address } = await startChanging();
    const [one, two] = [await ticket(), await ticket()];
    if (what === 'role') state.role = 'viewer';
    else state.now = 'revoked';
    const response = await fetch(`${server.url}${base}/events/stream?ticket=${one}`);
    expect(response.status).toBe(401);
    const socket = later(follow(`${address}?ticket=${two}`));
    expect(await socket.closed).toBe(4003);
    expect(socket.frames).toEqual([]);
  });

  test('is not redeemed while the accounts are unavailable', async () => {
    const { state, server, base, ticket, address } = await startChanging();
    const [one, two] = [await ticket(), await ticket()];
    state.now = 'unavailable';
    const response = await fetch(`${server.url}${base}/events/stream?ticket=${one}`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    const socket = later(follow(`${address}?ticket=${two}`));
    await socket.closed;
    expect([socket.status, socket.headers['retry-after']]).toEqual([503, '5']);
    state.now = 'current';
    const again = await fetch(`${server.url}${base}/events/stream?ticket=${one}`);
    expect(again.status).toBe(200);
    await again.body?.cancel();
    const open = later(follow(`${address}?ticket=${two}`));
    await open.opened;
  });
});

/** A POST whose body waits for `finish`. */
function slowPost(url: string, text: string) {
  const body = new TransformStream<Uint8Array, Uint8Array>();
  const writer = body.writable.getWriter();
  const headers = { authorization: `Bearer ${TOKEN.leaves}` };
  const answer = fetch(url, { method: 'POST', headers, body: body.readable, duplex: 'half' } as RequestInit);
  const bytes = new TextEncoder().encode(text);
  return {
    begin: () => writer.write(bytes.subarray(0, 5)),
    async finish() {
      await writer.write(bytes.subarray(5));
      await writer.close();
      return (await answer).status;
    },
  };
}

test.each([
  ['revoked', 401],
  ['unavailable', 503],
] as const)('a POST is refused when the account is %s while the body arrives', async (how, status) => {
  const { state, accounts, server, base, call } = await startChanging();
  const asked = vi.spyOn(accounts, 'authenticate');
  const events = slowPost(`${server.url}${base}/events`, JSON.stringify({ events: [{ payload: user('late') }] }));
  const session = slowPost(`${server.url}/v1/code/sessions`, '{"title":"late"}');
  await Promise.all([events.begin(), session.begin()]);
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
  state.now = how;
  expect([await events.finish(), await session.finish()]).toEqual([status, status]);
  state.now = 'current';
  const listed = await fetch(`${server.url}${base}/events`, { headers: { authorization: `Bearer ${TOKEN.leaves}` } });
  expect(await listed.json()).toMatchObject({ data: [] });
  expect(await call(`${base}/tickets`, {}, TOKEN.leaves)).toMatchObject({ status: 200 });
});

test('streams of an account end at once when the accounts report a change', async () => {
  const { change, server, base, address } = await startChanging();
  const headers = { authorization: `Bearer ${TOKEN.leaves}` };
  const stream = readFrames(await fetch(`${server.url}${base}/events/stream`, { headers }));
  const socket = later(follow(address, { token: TOKEN.leaves }));
  await Promise.all([stream.until(() => stream.of('resume').length === 1), socket.opened]);
  change('revoked');
  await stream.ended;
  expect(await socket.closed).toBe(4003);
});

test('a stream whose account was revoked while the stream was opened ends', async () => {
  const log = createMemoryEventLog();
  const { state, accounts } = changing();
  const first = await startIngress({ accounts, log });
  const made = await first.call('/v1/code/sessions', { token: TOKEN.leaves, json: {} });
  const { id } = made.body['session'] as { id: string };
  // The account is revoked after the token check, when the session is read from the log.
  const second = await startIngress({
    accounts,
    log: {
      ...log,
      readDocument(...of) {
        state.now = 'revoked';
        return log.readDocument(...of);
      },
    },
  });
  const path = `/v1/code/sessions/${id}/events/stream`;
  await readFrames(await second.request(path, { method: 'GET', token: TOKEN.leaves })).ended;
});

describe('while the accounts are unavailable', () => {
  test('every request is refused with 503 and Retry-After, and the failure is reported once', async () => {
    const { change, trouble, onError, server, base } = await startChanging();
    change('unavailable');
    const headers = { authorization: `Bearer ${TOKEN.leaves}` };
    for (const [method, path] of [
      ['GET', base],
      ['GET', `${base}/events`],
      ['GET', `${base}/events/stream`],
      ['POST', `${base}/events`],
      ['POST', `${base}/bridge`],
      ['POST', `${base}/tickets`],
      ['POST', `${base}/archive`],
      ['POST', '/v1/code/sessions'],
    ] as const) {
      const answer = await fetch(`${server.url}${path}`, { method, headers, ...(method === 'POST' && { body: '{}' }) });
      expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '5']);
      expect(await answer.json()).toMatchObject({ error: { type: 'accounts_unavailable' } });
    }
    expect(onError.mock.calls).toEqual([[trouble]]);
  });

  test('a WebSocket is refused temporarily, with a token in the header as in the first frame', async () => {
    const { state, address } = await startChanging();
    state.now = 'unavailable';
    const header = later(follow(address, { token: TOKEN.leaves }));
    await header.closed;
    expect([header.status, header.headers['retry-after']]).toEqual([503, '5']);
    const frame = later(follow(address));
    await frame.opened;
    frame.say({ type: 'auth', credential: { type: 'oauth', token: TOKEN.leaves } });
    expect(await frame.closed).toBe(1013);
  });

  test('open streams end, and a WebSocket closes with a code that lets clients reconnect', async () => {
    const { change, server, base, address } = await startChanging();
    const headers = { authorization: `Bearer ${TOKEN.leaves}` };
    const stream = readFrames(await fetch(`${server.url}${base}/events/stream`, { headers }));
    const socket = later(follow(address, { token: TOKEN.leaves }));
    await Promise.all([stream.until(() => stream.of('resume').length === 1), socket.opened]);
    change('unavailable');
    await stream.ended;
    expect(await socket.closed).toBe(1013);
  });

  test('a message over an open WebSocket is not stored, and the close code lets the client repeat it', async () => {
    const { state, onError, server, base, address } = await startChanging();
    const socket = later(follow(address, { token: TOKEN.leaves }));
    await socket.opened;
    state.now = 'unavailable';
    socket.say(user('lost'));
    expect(await socket.closed).toBe(1013);
    expect(onError).toHaveBeenCalledTimes(1);
    state.now = 'current';
    const listed = await fetch(`${server.url}${base}/events`, { headers: { authorization: `Bearer ${TOKEN.leaves}` } });
    expect(await listed.json()).toMatchObject({ data: [] });
  });

  test('any other rejection also answers 503, and each one is reported', async () => {
    const onError = vi.fn();
    const reason = new Error('the database is away');
    const accounts: Accounts = { authenticate: () => Promise.reject(reason), isCurrent: () => Promise.reject(reason) };
    const { call } = await startIngress({ accounts, onError });
    for (let n = 0; n < 2; n++) {
      expect(await call('/v1/code/sessions', { token: TOKEN.leaves })).toMatchObject({ status: 503 });
    }
    expect(onError.mock.calls).toEqual([[reason], [reason]]);
  });

  test('maintenance still ends streams and expires the log', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { state, accounts } = changing();
    const log = createMemoryEventLog();
    const expire = vi.spyOn(log, 'expire');
    const { call, request } = await startIngress({ accounts, log });
    const made = await call('/v1/code/sessions', { token: TOKEN.leaves, json: {} });
    const path = `/v1/code/sessions/${(made.body['session'] as { id: string }).id}/events/stream`;
    const stream = readFrames(await request(path, { method: 'GET', token: TOKEN.leaves }));
    state.now = 'unavailable';
    vi.advanceTimersByTime(60_000);
    await stream.ended;
    await vi.waitFor(() => expect(expire).toHaveBeenCalledTimes(1));
  });
});

test('a drained server stops watching its accounts', async () => {
  const { accounts, changed } = changing();
  const { ingress } = await startIngress({ accounts });
  expect(changed.size).toBe(1);
  await ingress.drain();
  expect(changed.size).toBe(0);
});

test('the worker of a revoked driver keeps its lease until another client claims the lease', async () => {
  const { gone, accounts } = leaving();
  const { call } = await startIngress({ accounts });
  const made = await call('/v1/code/sessions', { token: TOKEN.stays, json: {} });
  const base = `/v1/code/sessions/${(made.body['session'] as { id: string }).id}`;
  const { worker_jwt, worker_epoch } = (await call(`${base}/bridge`, { token: TOKEN.leaves, json: {} })).body;
  const beat = () => call(`${base}/worker/heartbeat`, { token: String(worker_jwt), json: { worker_epoch } });
  gone.is = true;
  expect((await beat()).status).toBe(200);
  expect((await call(`${base}/bridge`, { token: TOKEN.stays, json: {} })).status).toBe(200);
  expect((await beat()).status).toBe(409);
});
