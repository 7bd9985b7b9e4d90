import type { AttemptReason, IncomingLink } from '@proto/core/internal';
import { encodeBatch, flattenIncoming, type Transport } from '@proto/core/transport';
import { verifies } from '@proto/requirements';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeNetwork } from '../fake-network.test-support.ts';
import type { ReconnectingOptions } from './socket-request.ts';
import { createReconnectingTransport } from './reconnecting-transport.ts';

const HOURS = 3_600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function connect(network: FakeNetwork, options: Partial<ReconnectingOptions> = {}): Transport {
  return createReconnectingTransport({ url: 'ws://host', open: network.open, random: () => 0.5, ...options });
}

/** News of the link, as it comes. */
function linksOf(transport: Transport): IncomingLink[] {
  const links: IncomingLink[] = [];
  void (async () => {
    for await (const item of flattenIncoming(transport.incoming)) if (item.kind === 'link') links.push(item);
  })().catch(() => {});
  return links;
}

/** Seconds pass, and the network carries what is said. */
async function pass(network: FakeNetwork, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await vi.advanceTimersByTimeAsync(1000);
    await network.settle();
  }
}

/** The machine sleeps: timers stand still, and the clock on the wall does not. */
function sleep(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

const refusing =
  (status: number, headers = {}) =>
  (socket: FakeNetwork['last']) =>
    socket.refuse(status, headers);

test('a refusal says to a person what it means', async () => {
  const network = new FakeNetwork();
  network.onAttempt = refusing(404);
  const message = 'websocket: refused with status 404: there is no such session';
  await expect(connect(network).opened).rejects.toMatchObject({ code: 'rejected', message });
});

test('the first attempt goes at once, the others wait longer and longer, up to the cap', async () => {
  const network = new FakeNetwork();
  const transport = connect(network, { maxOpeningMs: 120_000 });
  transport.opened.catch(() => {});
  const at: number[] = [];
  const start = Date.now();
  network.onAttempt = (socket) => {
    at.push((Date.now() - start) / 1000);
    socket.fall(1006);
  };
  await pass(network, 100);
  expect(at).toEqual([0, 0, 1, 3, 7, 15, 31, 61, 91]);
});

verifies('R-2.2', 'eight hours of sleep do not exhaust the ten minutes', async () => {
  const network = new FakeNetwork();
  const transport = connect(network);
  await network.settle();
  await pass(network, 20);
  network.onAttempt = (socket) => socket.fall(1006);
  network.cut();
  await pass(network, 500);
  const before = network.sockets.length;
  sleep(8 * HOURS);
  await pass(network, 60);
  // The delays begin anew as well.
  expect(network.sockets.length - before).toBeGreaterThanOrEqual(5);
  await pass(network, 500);
  network.onAttempt = (socket) => network.accept(socket);
  await pass(network, 40);
  await expect(transport.send(encodeBatch({ type: 'n' }))).resolves.toBeUndefined();
});

test('ten minutes without a link are the end, and worth another try by hand', async () => {
  const network = new FakeNetwork();
  const transport = connect(network);
  await pass(network, 20);
  network.onAttempt = (socket) => socket.fall(1006);
  network.cut();
  await pass(network, 640);
  expect(await transport.closed).toMatchObject({ by: 'link', error: { retryable: true }, status: 1006 });
});

/** Nobody listens there, as sockets of `ws` tell it. */
function refuseConnection(socket: FakeNetwork['last']): void {
  socket.tell('error', { error: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) });
  socket.fall(1006);
}

const stay = (): void => {};

test.each([
  ['a connection that breaks', (socket: FakeNetwork['last']) => socket.fall(1006), 'connect-failed', {}],
  ['a refused connection', refuseConnection, 'connect-failed', { firstAttempt: 'retry' } as const],
  ['no answer', stay, 'timeout', {}],
  ['a server in trouble', refusing(503), 'connect-failed', {}],
  ['a server that asks for more time than there is', refusing(503, { 'retry-after': '120' }), 'connect-failed', {}],
])('%s from the beginning: `opened` rejects within half a minute, and the cause is told at once', async (...given) => {
  const [, onAttempt, code, options] = given;
  const network = new FakeNetwork();
  network.onAttempt = onAttempt;
  const transport = connect(network, { ...options, random: () => 1 });
  const links = linksOf(transport);
  const opened = expect(transport.opened).rejects.toMatchObject({ code, retryable: true });
  await pass(network, onAttempt === stay ? 16 : 1);
  if (given[0] !== 'a server that asks for more time than there is') {
    expect(links).toMatchObject([{ state: 'down', attempt: 2, cause: { code } }]);
  }
  await pass(network, onAttempt === stay ? 14 : 29);
  await opened;
  expect(links.length).toBeLessThan(2);
  expect(vi.getTimerCount()).toBe(0);
});

test('a refused connection of the very first attempt is the end, with the reason in words', async () => {
  const network = new FakeNetwork();
  network.onAttempt = refuseConnection;
  const message = 'websocket: cannot connect: the connection was refused, nothing listens there (ECONNREFUSED)';
  await expect(connect(network).opened).rejects.toMatchObject({ code: 'connect-failed', retryable: true, message });
  expect(network.sockets).toHaveLength(1);
});

test('behind a link that was up, a refused connection is worth another attempt', async () => {
  const network = new FakeNetwork();
  const transport = connect(network);
  const links = linksOf(transport);
  await Promise.all([transport.opened, pass(network, 1)]);
  network.onAttempt = (socket) => (network.sockets.length < 4 ? refuseConnection(socket) : network.accept(socket));
  network.cut();
  await pass(network, 10);
  expect(links.map(({ state }) => state)).toEqual(['down', 'up']);
});

test('what may be there ahead of its server is told that it is not, and then that it is', async () => {
  const network = new FakeNetwork();
  network.onAttempt = (socket) => (network.sockets.length < 4 ? refuseConnection(socket) : network.accept(socket));
  const transport = connect(network, { firstAttempt: 'retry' });
  const links = linksOf(transport);
  await Promise.all([transport.opened, pass(network, 10)]);
  expect(links).toMatchObject([
    { state: 'down', attempt: 2, cause: { code: 'connect-failed' } },
    { state: 'up', attempt: 4, resumed: true },
  ]);
});

test('attempts are counted anew behind each link that was up', async () => {
  const network = new FakeNetwork();
  const links = linksOf(connect(network));
  await pass(network, 20);
  for (let round = 0; round < 2; round++) {
    let failing = 2;
    network.onAttempt = (socket) => (failing-- > 0 ? socket.fall(1006) : network.accept(socket));
    network.cut();
    await pass(network, 60);
  }
  const round = [
    { state: 'down', attempt: 1 },
    { state: 'up', attempt: 3 },
  ];
  expect(links).toMatchObject([...round, ...round]);
});

test('a credential that cannot be another one is not tried twice', async () => {
  for (const [credential, count] of [
    ['fixed', 1],
    [() => 'asked for', 2],
  ] as const) {
    const network = new FakeNetwork();
    network.onAttempt = refusing(401);
    const opened = expect(connect(network, { credential }).opened).rejects.toMatchObject({
      code: 'rejected',
      status: 401,
    });
    await pass(network, 1);
    await opened;
    expect(network.requests).toHaveLength(count);
  }
});

test('a machine that slept while an attempt was under way has not spent its time trying', async () => {
  const network = new FakeNetwork();
  network.onAttempt = stay;
  const transport = connect(network);
  let failed = false;
  transport.opened.catch(() => (failed = true));
  await pass(network, 5);
  sleep(8 * HOURS);
  await pass(network, 15);
  expect(failed).toBe(false);
  network.onAttempt = (socket) => network.accept(socket);
  await Promise.all([transport.opened, pass(network, 20)]);
});

test('a server that accepts and closes at once is not asked without a pause', async () => {
  const network = new FakeNetwork();
  network.onAttempt = (socket) => {
    network.accept(socket);
    queueMicrotask(() => socket.fall(1011));
  };
  connect(network);
  await pass(network, 60);
  expect(network.sockets.length).toBeLessThan(10);
});

verifies('R-2.5', 'a server that asks for patience is left alone as long', async () => {
  const network = new FakeNetwork();
  network.onAttempt = refusing(503, { 'retry-after': '20' });
  connect(network).opened.catch(() => {});
  await pass(network, 19);
  expect(network.sockets.length).toBe(1);
  await pass(network, 2);
  expect(network.sockets.length).toBe(2);
});

verifies(
  'R-13.2',
  'a link that passes nothing is given up within twice the interval, though it says it is open',
  async () => {
    const network = new FakeNetwork();
    const links = linksOf(connect(network));
    await pass(network, 100);
    expect(links).toEqual([]);
    network.last.silent = (network.last.peer as FakeNetwork['last']).silent = true;
    await pass(network, 61);
    expect(links.map(({ state, cause }) => [state, cause?.code])).toEqual([
      ['down', 'timeout'],
      ['up', undefined],
    ]);
  },
);

verifies('R-13.3', 'who wakes up asks before it judges, and reconnects when there is no answer', async () => {
  const network = new FakeNetwork();
  const links = linksOf(connect(network));
  await pass(network, 1);
  sleep(8 * HOURS);
  const asked = network.last.pings.length;
  await pass(network, 60);
  expect(network.last.pings.length).toBeGreaterThan(asked);
  expect(links).toEqual([]);
  network.last.silent = true;
  // Two beats were missed when it fell asleep: the third must not count.
  await pass(network, 31);
  sleep(8 * HOURS);
  await pass(network, 15);
  expect(links).toEqual([]);
  await pass(network, 31);
  expect(links.map(({ state }) => state)).toEqual(['down', 'up']);
});

verifies(
  ['S1-17', 'S2-49'],
  'the token goes as a bearer, and with the headers is asked for on each attempt',
  async () => {
    const network = new FakeNetwork();
    let version = 0;
    connect(network, {
      url: () => `ws://host/${++version}`,
      credential: () => `t${version}`,
      headers: () => ({ 'x-environment-runner-version': `${version}` }),
    });
    await pass(network, 1);
    network.cut();
    await pass(network, 1);
    expect(network.requests.map(({ url, headers }) => [url, headers])).toEqual(
      ['1', '2'].map((n) => [`ws://host/${n}`, { Authorization: `Bearer t${n}`, 'x-environment-runner-version': n }]),
    );
    connect(network);
    await pass(network, 1);
    expect(network.requests.at(-1)?.headers).toEqual({});
  },
);

test.each([
  ['a status', refusing(401)],
  ['a close', (socket: FakeNetwork['last']) => socket.fall(4003)],
])('a credential refused by %s is asked for again, and a good one is taken', async (_, refuse) => {
  const network = new FakeNetwork();
  network.onAttempt = (socket) => (network.sockets.length === 1 ? refuse(socket) : network.accept(socket));
  const reasons: string[] = [];
  const credential = (reason: AttemptReason) => {
    reasons.push(reason);
    return reason;
  };
  const transport = connect(network, { credential });
  const links = linksOf(transport);
  await Promise.all([transport.opened, pass(network, 1)]);
  expect([reasons, links]).toEqual([['first', 'refused'], []]);
});

test.each([403, 404, 409, 401])('status %i is for good while no link was ever up', async (status) => {
  const network = new FakeNetwork();
  network.onAttempt = refusing(status);
  const transport = connect(network);
  const opened = expect(transport.opened).rejects.toMatchObject({ code: 'rejected', retryable: false, status });
  await pass(network, 1);
  await opened;
});

test.each([4001, 4003, 4090, 1009])('close code %i is for good, with its reason', async (code) => {
  const network = new FakeNetwork();
  const transport = connect(network);
  await network.settle();
  network.onAttempt = (socket) => socket.fall(code);
  network.last.fall(code);
  await pass(network, 2);
  const { error, status } = await transport.closed;
  expect([error?.code, error?.retryable, status]).toEqual(['rejected', false, code]);
  expect(error?.message).toMatch(new RegExp(`closed with ${code}: .+`));
});

test('1000 is the clean end', async () => {
  const network = new FakeNetwork();
  const transport = connect(network);
  await network.settle();
  network.last.fall(1000);
  expect(await transport.closed).toEqual({ by: 'peer', status: 1000 });
});

test('an attempt that comes to nothing is given up, and another one made', async () => {
  const network = new FakeNetwork();
  network.onAttempt = () => {};
  connect(network).opened.catch(() => {});
  await pass(network, 16);
  expect(network.sockets.length).toBe(2);
  expect(network.sockets[0]?.readyState).toBe(3);
});

test('a URL that is none ends it at once', async () => {
  const open = () => {
    throw new SyntaxError('Invalid URL');
  };
  await expect(createReconnectingTransport({ url: '::', open }).opened).rejects.toMatchObject({
    code: 'connect-failed',
    retryable: false,
  });
});

test('a token that cannot be had is a failed attempt', async () => {
  const network = new FakeNetwork();
  let asked = 0;
  const credential = () => (++asked === 1 ? Promise.reject(new Error('locked')) : 'good');
  await Promise.all([connect(network, { credential }).opened, pass(network, 2)]);
  expect(asked).toBe(2);
});

test('what is kept for the next link is bounded: above it send stays pending', async () => {
  const network = new FakeNetwork();
  const transport = connect(network, { maxReplayBytes: 100 });
  await network.settle();
  network.onAttempt = () => {};
  network.cut();
  const settled: number[] = [];
  for (const n of [1, 2, 3]) void transport.send(encodeBatch({ type: 'x'.repeat(60) })).then(() => settled.push(n));
  await pass(network, 1);
  expect(settled).toEqual([1]);
  network.onAttempt = (socket) => network.accept(socket);
  await pass(network, 120);
  expect(settled).toEqual([1, 2, 3]);
});
