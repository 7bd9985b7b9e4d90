import type { AttemptReason } from '@proto/core/reconnect';
import { encodeBatch, flattenIncoming, type IncomingLink, type Transport } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeNetwork, pass } from '../fake-network.test-support.ts';
import type { SocketLike } from '../socket/socket.ts';
import type { WebSocketClientOptions } from './socket-request.ts';
import { createWebSocketClientTransport } from './web-socket-client-transport.ts';

const HOURS = 3_600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function connect(network: FakeNetwork, options: Partial<WebSocketClientOptions> = {}): Transport {
  return createWebSocketClientTransport({ url: 'ws://host', open: network.open, random: () => 0.5, ...options });
}

/** Collects the `link` items of a transport as they arrive. */
function linksOf(transport: Transport): IncomingLink[] {
  const links: IncomingLink[] = [];
  void (async () => {
    for await (const item of flattenIncoming(transport.incoming)) if (item.kind === 'link') links.push(item);
  })().catch(() => {});
  return links;
}

/** Puts the machine to sleep: the wall clock advances, and the timers do not. */
function sleep(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

const refusing =
  (status: number, headers = {}) =>
  (socket: FakeNetwork['last']) =>
    socket.refuse(status, headers);

test('the error of a refused upgrade explains the status in words', async () => {
  const network = new FakeNetwork();
  network.onAttempt = refusing(404);
  const message = 'websocket: refused with status 404: no such session';
  await expect(connect(network).opened).rejects.toMatchObject({ code: 'rejected', message });
});

verifies(
  'RES-38',
  'the first attempt starts at once, and the delays before later attempts grow up to the cap',
  async () => {
    const network = new FakeNetwork();
    const transport = connect(network, { connectDeadlineMs: 120_000 });
    transport.opened.catch(() => {});
    const at: number[] = [];
    const start = Date.now();
    network.onAttempt = (socket) => {
      at.push((Date.now() - start) / 1000);
      socket.fall(1006);
    };
    await pass(network, 100);
    expect(at).toEqual([0, 0, 1, 3, 7, 15, 31, 61, 91]);
  },
);

verifies(
  'LINK-5',
  'eight hours of machine sleep do not count towards the ten-minute limit for reconnecting',
  async () => {
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
    // The delays also start again with the first delay.
    expect(network.sockets.length - before).toBeGreaterThanOrEqual(5);
    await pass(network, 500);
    network.onAttempt = (socket) => network.accept(socket);
    await pass(network, 40);
    await expect(transport.send(encodeBatch({ type: 'n' }))).resolves.toBeUndefined();
  },
);

verifies('RES-40', 'a transport without a link for ten minutes closes with a retryable error', async () => {
  const network = new FakeNetwork();
  const transport = connect(network);
  await pass(network, 20);
  network.onAttempt = (socket) => socket.fall(1006);
  network.cut();
  await pass(network, 640);
  expect(await transport.closed).toMatchObject({ by: 'link', error: { retryable: true }, status: 1006 });
});

/** Fails as a socket of `ws` does if nothing listens at the address. */
function refuseConnection(socket: FakeNetwork['last']): void {
  socket.emit('error', { error: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) });
  socket.fall(1006);
}

const doNotAnswer = (): void => {};

test.each([
  ['a connection that breaks', (socket: FakeNetwork['last']) => socket.fall(1006), 'connect-failed', {}],
  ['a refused connection', refuseConnection, 'connect-failed', { retryFirstConnect: true } as const],
  ['no answer', doNotAnswer, 'timeout', {}],
  ['a server that answers with 503', refusing(503), 'connect-failed', {}],
  [
    'a server whose retry-after is longer than the time for opening',
    refusing(503, { 'retry-after': '120' }),
    'connect-failed',
    {},
  ],
])(
  '%s on every attempt: `opened` rejects within half a minute, and a link item reports the cause at once',
  async (...given) => {
    const [, onAttempt, code, options] = given;
    const network = new FakeNetwork();
    network.onAttempt = onAttempt;
    const transport = connect(network, { ...options, random: () => 1 });
    const links = linksOf(transport);
    const opened = expect(transport.opened).rejects.toMatchObject({ code, retryable: true });
    await pass(network, onAttempt === doNotAnswer ? 16 : 1);
    if (given[0] !== 'a server whose retry-after is longer than the time for opening') {
      expect(links).toMatchObject([{ state: 'down', attempt: 2, cause: { code } }]);
    }
    await pass(network, onAttempt === doNotAnswer ? 14 : 29);
    await opened;
    expect(links.length).toBeLessThan(2);
    expect(vi.getTimerCount()).toBe(0);
  },
);

test('a connection refused on the very first attempt closes the transport, and the error gives the reason in words', async () => {
  const network = new FakeNetwork();
  network.onAttempt = refuseConnection;
  const message = 'websocket: cannot connect: the connection was refused: nothing listens on this port (ECONNREFUSED)';
  await expect(connect(network).opened).rejects.toMatchObject({ code: 'connect-failed', retryable: true, message });
  expect(network.sockets).toHaveLength(1);
});

test('a connection refused after a link was up is retried', async () => {
  const network = new FakeNetwork();
  const transport = connect(network);
  const links = linksOf(transport);
  await Promise.all([transport.opened, pass(network, 1)]);
  network.onAttempt = (socket) => (network.sockets.length < 4 ? refuseConnection(socket) : network.accept(socket));
  network.cut();
  await pass(network, 10);
  expect(links.map(({ state }) => state)).toEqual(['down', 'up']);
});

test('a client that may start before its server gets a `down` item, then an `up` item once the server runs', async () => {
  const network = new FakeNetwork();
  network.onAttempt = (socket) => (network.sockets.length < 4 ? refuseConnection(socket) : network.accept(socket));
  const transport = connect(network, { retryFirstConnect: true });
  const links = linksOf(transport);
  await Promise.all([transport.opened, pass(network, 10)]);
  expect(links).toMatchObject([
    { state: 'down', attempt: 2, cause: { code: 'connect-failed' } },
    { state: 'up', attempt: 4, resumed: true },
  ]);
});

verifies('RES-39', 'the count of attempts starts again after each link that was up', async () => {
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

test('a fixed credential that is refused is not sent a second time', async () => {
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

test('machine sleep during an attempt does not count towards the time for opening', async () => {
  const network = new FakeNetwork();
  network.onAttempt = doNotAnswer;
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

test('a client backs off from a server that accepts connections and closes them at once', async () => {
  const network = new FakeNetwork();
  network.onAttempt = (socket) => {
    network.accept(socket);
    queueMicrotask(() => socket.fall(1011));
  };
  connect(network);
  await pass(network, 60);
  expect(network.sockets.length).toBeLessThan(10);
});

verifies('LINK-6', 'no attempt is made before the retry-after of a refusal has passed', async () => {
  const network = new FakeNetwork();
  network.onAttempt = refusing(503, { 'retry-after': '20' });
  connect(network).opened.catch(() => {});
  await pass(network, 19);
  expect(network.sockets.length).toBe(1);
  await pass(network, 2);
  expect(network.sockets.length).toBe(2);
});

verifies(
  'LINK-11',
  'a link without traffic is dropped within twice the keep-alive interval, even if its socket is still open',
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

verifies(
  'LINK-12',
  'a client that wakes from machine sleep pings before it drops the link, and reconnects if no answer comes',
  async () => {
    const network = new FakeNetwork();
    const links = linksOf(connect(network));
    await pass(network, 1);
    sleep(8 * HOURS);
    const asked = network.last.pings.length;
    await pass(network, 60);
    expect(network.last.pings.length).toBeGreaterThan(asked);
    expect(links).toEqual([]);
    network.last.silent = true;
    // Two keep-alive intervals had passed without an answer before the sleep: the third must not count.
    await pass(network, 31);
    sleep(8 * HOURS);
    await pass(network, 15);
    expect(links).toEqual([]);
    await pass(network, 31);
    expect(links.map(({ state }) => state)).toEqual(['down', 'up']);
  },
);

verifies(
  ['LINK-16', 'WORKER-4'],
  'the credential is sent as a bearer token, and the URL, the credential and the headers are computed for each attempt',
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

const refusals: Readonly<Record<string, (socket: FakeNetwork['last']) => void>> = {
  'a status': refusing(401),
  'a close': (socket) => socket.fall(4003),
};
for (const [what, refuse] of Object.entries(refusals)) {
  verifies(
    ['WSK-36', 'ERR-17'],
    `a credential refused with ${what} is requested again, and the new one is used`,
    async () => {
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
    },
  );
}

test.each([403, 404, 409, 401])('status %i on the first attempt is permanent', async (status) => {
  const network = new FakeNetwork();
  network.onAttempt = refusing(status);
  const transport = connect(network);
  const opened = expect(transport.opened).rejects.toMatchObject({ code: 'rejected', retryable: false, status });
  await pass(network, 1);
  await opened;
});

test.each([4001, 4003, 4090, 1009])('close code %i is permanent, and the error gives its reason', async (code) => {
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

verifies('WSK-32', 'close code 1000 is a clean end', async () => {
  const network = new FakeNetwork();
  const transport = connect(network);
  await network.settle();
  network.last.fall(1000);
  expect(await transport.closed).toEqual({ by: 'peer', status: 1000 });
});

test('an attempt without an answer is abandoned, and another one is made', async () => {
  const network = new FakeNetwork();
  network.onAttempt = () => {};
  connect(network).opened.catch(() => {});
  await pass(network, 16);
  expect(network.sockets.length).toBe(2);
  expect(network.sockets[0]?.readyState).toBe(3);
});

test('an invalid URL fails at once, without a retry', async () => {
  const open = () => {
    throw new SyntaxError('Invalid URL');
  };
  await expect(createWebSocketClientTransport({ url: '::', open }).opened).rejects.toMatchObject({
    code: 'connect-failed',
    retryable: false,
  });
});

test('a credential function that rejects counts as a failed attempt, and is called again', async () => {
  const network = new FakeNetwork();
  let asked = 0;
  const credential = () => (++asked === 1 ? Promise.reject(new Error('locked')) : 'good');
  await Promise.all([connect(network, { credential }).opened, pass(network, 2)]);
  expect(asked).toBe(2);
});

test('the messages kept for the next link are bounded: above `maxReplayBytes`, `send` stays pending', async () => {
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

test('a socket that reports an error and no end, as the WebSocket of Node 22 does, is followed by the next attempt', async () => {
  const attempts: EventTarget[] = [];
  const open = () => {
    const members = { readyState: 0, bufferedAmount: 0, protocol: '', binaryType: '', send() {}, close() {} };
    const socket = Object.assign(new EventTarget(), members);
    attempts.push(socket);
    return socket as unknown as SocketLike;
  };
  const transport = createWebSocketClientTransport({ url: 'ws://host', open, random: () => 0.5 });
  await vi.advanceTimersByTimeAsync(0);
  attempts[0]?.dispatchEvent(new Event('error'));
  attempts[0]?.dispatchEvent(new Event('error'));
  await vi.advanceTimersByTimeAsync(1500);
  expect(attempts).toHaveLength(2);
  transport.abort();
  await expect(transport.opened).rejects.toMatchObject({ code: 'aborted' });
});
