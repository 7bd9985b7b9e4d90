import { encodeBatch } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { answer, type Fate, FakeSession } from './fake-session.test-support.ts';
import type { HttpRequest, HttpResponse } from './http.ts';
import { follow } from './viewer.test-support.ts';

const HOURS = 3_600_000;

/** The times of the stream requests in milliseconds. */
function attempts(session: FakeSession, now: () => number): number[] {
  const times: number[] = [];
  const before = session.fate;
  session.fate = (request, url) => {
    if (request.method === 'GET') times.push(now());
    return before(request, url);
  };
  return times;
}

const since = (times: readonly number[]) => times.map((time) => time - (times[0] ?? 0));

verifies(['EVS-24', 'RES-37'], 'a broken stream is reopened at once from the last event', async () => {
  const { transport, session, clock, numbers, links } = follow();
  await transport.opened;
  session.say({ type: 'x', n: 1 });
  await clock.settle();
  session.cut();
  session.say({ type: 'x', n: 2 });
  await clock.until(() => numbers().length === 2, 'the second message');
  expect(numbers()).toEqual([1, 2]);
  expect(session.requests.map(({ headers }) => headers['Last-Event-ID'])).toEqual([undefined, '1']);
  expect(session.requests[0]?.url).toBe('https://sessions.example/v1/code/sessions/cse_1/events/stream');
  expect(links().map(({ state, attempt, resumed }) => [state, attempt, resumed])).toEqual([
    ['down', 1, undefined],
    ['up', 1, true],
  ]);
  await transport.close();
  expect(clock.waiting).toBe(0);
});

verifies(
  ['LINK-5', 'RES-38'],
  'the first attempt runs at once, delays grow to the cap, and a sleep of 8 hours does not use up the time',
  async () => {
    const { transport, session, clock, links } = follow({ reconnectDeadlineMs: HOURS });
    await transport.opened;
    session.say({ type: 'x', n: 1 });
    await clock.settle();
    session.fate = () => 'unreachable';
    const times = attempts(session, () => clock.now());
    session.cut();
    await clock.pass(100_000);
    expect(since(times)).toEqual([0, 1000, 3000, 7000, 15_000, 31_000, 61_000, 91_000]);
    times.length = 0;
    await clock.sleep(8 * HOURS);
    await clock.pass(1000);
    expect(since(times)).toEqual([0, 1000]);
    session.fate = () => 'served';
    await clock.until(() => links().at(-1)?.state === 'up', 'the link is up');
    await transport.close();
  },
);

test('attempts end with the last error when the server is away longer than reconnectDeadlineMs', async () => {
  const { transport, session, clock } = follow({ reconnectDeadlineMs: 60_000 });
  await transport.opened;
  session.fate = () => ({ status: 503 });
  session.cut();
  await clock.pass(120_000);
  const { by, error } = await transport.closed;
  expect([by, error?.code, error?.status, error?.retryable]).toEqual(['link', 'connect-failed', 503, true]);
});

test('a server that accepts and closes each stream is not asked without a pause', async () => {
  const { transport, session, clock } = follow({ reconnectDeadlineMs: HOURS });
  await transport.opened;
  const times = attempts(session, () => clock.now());
  for (let round = 0; round < 20; round++) {
    session.cut();
    await clock.pass(1000);
  }
  expect(times.length).toBeLessThan(7);
  transport.abort();
});

test('a stream that brought events is reopened at once, also when it is cut every few seconds', async () => {
  const { transport, session, clock } = follow();
  await transport.opened;
  const times = attempts(session, () => clock.now());
  const cuts: number[] = [];
  for (let round = 0; round < 12; round++) {
    session.say({ type: 'x', n: round });
    await clock.pass(3000);
    cuts.push(clock.now());
    session.cut();
    await clock.pass(1000);
  }
  expect(times).toEqual(cuts);
  transport.abort();
});

const endings: readonly (readonly [string, Fate, string, boolean])[] = [
  ['a refused credential without a way to renew it', { status: 401 }, 'rejected', false],
  ['no right to the session', { status: 403 }, 'rejected', false],
  ['no such session', { status: 404 }, 'rejected', false],
  ['a redirect', { status: 308 }, 'rejected', false],
];
for (const [what, fate, code, retryable] of endings) {
  verifies(['ERR-15', 'ERR-18'], `${what} ends the transport permanently`, async () => {
    const session = new FakeSession();
    session.fate = () => fate;
    const { transport } = follow({}, session);
    await expect(transport.opened).rejects.toMatchObject({ code, retryable });
    const { by, error, status } = await transport.closed;
    expect([by, error?.code, status]).toEqual(['link', code, (fate as { status: number }).status]);
    expect(session.requests).toHaveLength(1);
  });
}

test.each<[string, Fate]>([
  ['a refused connection', 'unreachable'],
  ['no answer', 'stalled'],
  ['408', { status: 408 }],
  ['429', { status: 429 }],
  ['500', { status: 500 }],
  ['503', { status: 503 }],
  ['an HTML page', { status: 200, headers: { 'content-type': 'text/html' } }],
])('a first attempt with %s is retried', async (_, fate) => {
  const session = new FakeSession();
  session.fate = () => (session.requests.length > 2 ? 'served' : fate);
  const { transport, clock, links } = follow({ connectDeadlineMs: 60_000 }, session);
  await clock.until(() => links().some(({ state }) => state === 'up'), 'the link is up');
  await transport.opened;
  expect(
    links()
      .filter(({ state }) => state === 'down')
      .map(({ attempt }) => attempt),
  ).toEqual([2, 3]);
  transport.abort();
});

verifies('LINK-6', 'the delays of Retry-After and `retry:` are respected within bounds', async () => {
  const session = new FakeSession();
  const { transport, clock } = follow({ reconnectDeadlineMs: HOURS }, session);
  await transport.opened;
  const times = attempts(session, () => clock.now());
  const answers: Fate[] = [
    { status: 503, headers: { 'retry-after': '20' } },
    { status: 429, headers: { 'retry-after': new Date(clock.now() + 60_000).toUTCString() } },
    { status: 503, headers: { 'retry-after': '100000' } },
    { status: 503, headers: { 'retry-after': 'soon' } },
  ];
  const record = session.fate;
  session.fate = (request, url) => {
    record(request, url);
    return answers.shift() ?? 'served';
  };
  session.write('retry: 7000\n\n');
  await clock.settle();
  const cutAt = clock.now();
  session.cut();
  await clock.until(() => times.length === 5, 'five attempts');
  expect((times[0] ?? 0) - cutAt).toBe(7000);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(gaps[0]).toBe(20_000);
  // Date headers have whole seconds.
  expect((times[2] ?? 0) - (cutAt + 60_000)).toBeGreaterThan(-1000);
  expect(gaps[2]).toBe(300_000);
  expect(gaps[3]).toBeLessThan(30_000);
  transport.abort();
});

verifies(
  ['LINK-11', 'EVS-9', 'EVS-10'],
  'a link without bytes is closed after 45 s, and comments keep a link alive',
  async () => {
    const { transport, session, clock, links } = follow();
    await transport.opened;
    for (let second = 0; second < 200; second += 40) {
      await clock.pass(40_000);
      session.write(': alive\n\n');
    }
    expect(links()).toEqual([]);
    session.silence();
    const times = attempts(session, () => clock.now());
    const from = clock.now();
    await clock.until(() => links().at(-1)?.state === 'up', 'the link is up again');
    expect(links()[0]).toMatchObject({ state: 'down', cause: { code: 'timeout' } });
    expect((times[0] ?? 0) - from).toBeLessThanOrEqual(45_000);
    transport.abort();
  },
);

test('after a sleep of the machine, the link gets time before it counts as silent', async () => {
  const { transport, session, clock, links } = follow();
  await transport.opened;
  await clock.sleep(8 * HOURS);
  session.write(': alive\n\n');
  await clock.pass(30_000);
  expect(links()).toEqual([]);
  await clock.sleep(8 * HOURS);
  await clock.pass(4000);
  expect(links()).toEqual([]);
  await clock.pass(2000);
  expect(
    links()
      .map(({ state }) => state)
      .slice(0, 2),
  ).toEqual(['down', 'up']);
  transport.abort();
});

test('a missing answer is a failed attempt', async () => {
  const { transport, session, clock, links } = follow();
  await transport.opened;
  session.fate = () => 'stalled';
  session.cut();
  await clock.pass(16_000);
  expect(links().map(({ cause }) => cause?.code)).toEqual(['lost', 'timeout']);
  transport.abort();
  await transport.closed;
  expect(clock.waiting).toBe(0);
});

test('an answer that is not an event stream, such as a sign-in page, is a failed attempt', async () => {
  let signsIn = false;
  class Network extends FakeSession {
    protected override serve(request: HttpRequest, url: URL): HttpResponse {
      return signsIn ? answer(200, { 'content-type': 'text/html' }, { name: '' }) : super.serve(request, url);
    }
  }
  const { transport, session, clock, links } = follow({}, new Network());
  await transport.opened;
  signsIn = true;
  session.cut();
  await clock.pass(4000);
  expect(links().at(-1)).toMatchObject({
    state: 'down',
    cause: { code: 'connect-failed', message: 'sse: the answer is not an event stream', status: 200 },
  });
  signsIn = false;
  await clock.until(() => links().at(-1)?.state === 'up', 'the link is up');
  await transport.close();
});

test('the address, headers and cursor are read for each attempt, and the first stream starts at the given cursor', async () => {
  const session = new FakeSession();
  for (let n = 1; n <= 5; n++) session.say({ type: 'x', n });
  let asked = 0;
  const { transport, clock, numbers } = follow(
    {
      cursor: '3',
      url: () => new URL(`https://host-${++asked}.example/v1/code/sessions/cse_1/?team=7`),
      headers: async () => ({ 'X-Attempt': String(asked) }),
    },
    session,
  );
  await clock.until(() => numbers().length === 2, 'the events after the cursor arrive');
  session.cut();
  await clock.until(() => session.requests.length === 2, 'another stream opens');
  expect(numbers()).toEqual([4, 5]);
  expect(session.requests.map(({ url, headers }) => [url, headers['X-Attempt'], headers['Last-Event-ID']])).toEqual([
    ['https://host-1.example/v1/code/sessions/cse_1/events/stream?team=7', '1', '3'],
    ['https://host-2.example/v1/code/sessions/cse_1/events/stream?team=7', '2', '5'],
  ]);
  expect(transport.resumption.cursor).toBe('3');
  transport.resumption.acknowledge('4');
  transport.resumption.acknowledge('900');
  transport.resumption.acknowledge('nonsense');
  expect(transport.resumption.cursor).toBe('4');
  transport.abort();
});

test('a waiting message is posted as soon as the stream is connected', async () => {
  const { transport, session, clock } = follow();
  await transport.opened;
  session.fate = () => 'unreachable';
  session.cut();
  const sent = transport.send(encodeBatch({ type: 'x', n: 1 }));
  await clock.pass(20_000);
  session.fate = () => 'served';
  await clock.until(() => session.streams.size === 1, 'a stream opens');
  const at = clock.now();
  await sent;
  expect([session.log.length, clock.now()]).toEqual([1, at]);
  transport.abort();
});
