import { encodeBatch } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import type { Fate } from './fake-session.test-support.ts';
import { MessagesRefusedError } from './session-errors.ts';
import { follow, type Viewer } from './viewer.test-support.ts';

const numbered = (first: number, last: number) =>
  encodeBatch(...Array.from({ length: last - first + 1 }, (_, index) => ({ type: 'x', n: first + index })));

const logged = ({ session }: Viewer) => session.log.map(({ payload }) => (JSON.parse(payload) as { n: number }).n);

/** The outcomes of the POSTs in order; later POSTs are served. */
function fates(viewer: Viewer, ...list: Fate[]): void {
  viewer.session.fate = ({ method }) => (method === 'POST' ? (list.shift() ?? 'served') : 'served');
}

/** Collects the bodies of the POSTs. */
function bodies({ session }: Viewer): { session_id: string; events: { payload: { n: number; uuid: string } }[] }[] {
  const all: ReturnType<typeof bodies> = [];
  const before = session.fate;
  session.fate = (request, url) => {
    if (request.body !== undefined) all.push(JSON.parse(request.body));
    return before(request, url);
  };
  return all;
}

verifies(['EVS-34', 'EVS-35'], 'the messages of a batch go in one POST, each with an id', async () => {
  const viewer = follow();
  const sent = bodies(viewer);
  await viewer.transport.send(numbered(1, 3));
  expect(sent.map(({ session_id: id, events }) => [id, events.map(({ payload }) => payload.n)])).toEqual([
    ['cse_1', [1, 2, 3]],
  ]);
  expect(new Set(viewer.session.log.map(({ id }) => id)).size).toBe(3);
  const post = viewer.session.requests.find(({ method }) => method === 'POST');
  expect(post).toMatchObject({
    url: 'https://sessions.example/v1/code/sessions/cse_1/events',
    headers: { 'Content-Type': 'application/json' },
  });
  viewer.transport.abort();
});

test('a POST contains at most 100 messages and maxPostBytes, and a longer message gets a separate POST', async () => {
  const viewer = follow({ maxPostBytes: 1000 });
  const sent = bodies(viewer);
  await viewer.transport.send(numbered(1, 250));
  await viewer.transport.send(encodeBatch({ n: 251 }, { n: 252, padding: '.'.repeat(5000) }, { n: 253 }));
  expect(logged(viewer)).toEqual(Array.from({ length: 253 }, (_, index) => index + 1));
  const sizes = sent.map(({ events }) => JSON.stringify(events).length);
  expect(sizes.filter((size) => size > 2500)).toHaveLength(1);
  const wide = follow();
  const posts = bodies(wide);
  await wide.transport.send(numbered(1, 250));
  expect(posts.map(({ events }) => events.length)).toEqual([100, 100, 50]);
  for (const { transport } of [viewer, wide]) transport.abort();
});

verifies(
  ['QUEUE-14', 'RES-6'],
  'a message is posted again under its id until the server accepts it, in order and without loss',
  async () => {
    const viewer = follow({ reconnectDeadlineMs: 3_600_000 });
    const { transport, session, clock } = viewer;
    await transport.opened;
    const sent = bodies(viewer);
    const trouble: Fate[] = [
      'lost',
      'unreachable',
      { status: 500 },
      { status: 429 },
      'stalled',
      { status: 408 },
      'lost',
    ];
    fates(viewer, ...trouble, ...Array<Fate>(30).fill({ status: 503 }));
    const posts = bodies(viewer);
    const sends = [transport.send(numbered(1, 2)), transport.send(numbered(3, 4))];
    let settled = 0;
    for (const send of sends) void send.then(() => settled++);
    await clock.pass(100_000);
    expect([settled, logged(viewer)]).toEqual([0, [1, 2]]);
    await clock.until(() => settled === 2, 'both batches are sent');
    expect(logged(viewer)).toEqual([1, 2, 3, 4]);
    const ids = posts.slice(0, -1).map(({ events }) => events.map(({ payload }) => payload.uuid).join());
    expect(new Set(ids).size).toBe(1);
    // A message that was answered is not sent again.
    expect(posts.at(-1)?.events.map(({ payload }) => payload.n)).toEqual([3, 4]);
    expect([posts.length, session.repeated, sent.length]).toEqual([39, 4, 0]);
    transport.abort();
  },
);

verifies(['ERR-11', 'EVS-42'], 'the delays between attempts grow to the cap, and respect Retry-After', async () => {
  const viewer = follow({ reconnectDeadlineMs: 3_600_000 });
  const { transport, clock } = viewer;
  await transport.opened;
  fates(viewer, 'lost', ...Array<Fate>(8).fill({ status: 500 }), { status: 429, headers: { 'retry-after': '90' } });
  const times: number[] = [];
  const before = viewer.session.fate;
  viewer.session.fate = (request, url) => {
    if (request.method === 'POST') times.push(clock.now());
    return before(request, url);
  };
  const keepalive = () => clock.setTimeout(() => (viewer.session.write(': alive\n\n'), keepalive()), 15_000);
  keepalive();
  const sent = transport.send(numbered(1, 1));
  await clock.until(() => times.length === 11, 'eleven posts');
  await sent;
  const delays = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(delays).toEqual([0, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 90_000]);
  transport.abort();
});

test.each([400, 403, 409, 410, 413, 422])(
  'messages refused with %d are reported by id, and the other messages arrive',
  async (status) => {
    const viewer = follow();
    const { transport, session } = viewer;
    await transport.opened;
    session.fate = ({ body = '' }) => (/"n":(3|4)\b/.test(body) ? { status } : 'served');
    const messages = [1, 2, 3, 4, 5, 6, 7].map((n) => ({ type: 'x', n, uuid: `id-${n}` }));
    const error = await transport.send(encodeBatch(...messages)).catch((reason: unknown) => reason);
    expect(MessagesRefusedError.find(error)).toMatchObject({
      code: 'rejected',
      status,
      refused: ['id-3', 'id-4'],
      retryable: false,
    });
    expect(logged(viewer)).toEqual([1, 2, 5, 6, 7]);
    await transport.send(numbered(8, 8));
    expect(logged(viewer)).toEqual([1, 2, 5, 6, 7, 8]);
    transport.abort();
  },
);

for (const status of [404, 401, 302]) {
  verifies(['ERR-16', 'ERR-18'], `a POST that is answered with ${status} ends the transport permanently`, async () => {
    const viewer = follow();
    const { transport } = viewer;
    await transport.opened;
    fates(viewer, { status });
    await expect(transport.send(numbered(1, 1))).rejects.toMatchObject({ code: 'rejected', status });
    expect(await transport.closed).toMatchObject({ by: 'link', status });
    expect(MessagesRefusedError.find((await transport.closed).error)).toBeUndefined();
  });
}

verifies(['QUEUE-1', 'EVS-36'], 'one POST runs at a time, and messages keep their order', async () => {
  const viewer = follow();
  const { transport, session, clock } = viewer;
  await transport.opened;
  let seed = 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const kinds: Fate[] = ['served', 'lost', 'unreachable', { status: 503 }];
  session.fate = ({ method }) => (method === 'POST' ? (kinds[Math.floor(random() * 4)] ?? 'served') : 'served');
  let [running, most] = [0, 0];
  const inner = session.fetch;
  const counting = follow(
    {
      fetch: async (url, request) => {
        if (request.method === 'GET') return inner(url, request);
        most = Math.max(most, ++running);
        try {
          return await inner(url, request);
        } finally {
          running--;
        }
      },
    },
    session,
    clock,
  );
  const sends = Array.from({ length: 200 }, (_, n) =>
    counting.transport.send(encodeBatch({ type: n % 7 === 0 ? 'control_request' : 'x', n })),
  );
  let done = false;
  void Promise.all(sends).then(() => (done = true));
  const keepalive = () => clock.setTimeout(() => (session.write(': alive\n\n'), keepalive()), 15_000);
  keepalive();
  await clock.until(() => done, 'all messages are sent');
  expect(logged(viewer)).toEqual(Array.from({ length: 200 }, (_, n) => n));
  expect(most).toBe(1);
  for (const end of [transport, counting.transport]) end.abort();
});

test('close waits for pending messages, and abort does not', async () => {
  const viewer = follow();
  const { transport, clock } = viewer;
  await transport.opened;
  fates(viewer, { status: 503 }, { status: 503 });
  void transport.send(numbered(1, 2));
  const closing = transport.close();
  await clock.until(() => viewer.session.log.length === 2, 'the messages are sent');
  await closing;
  const other = follow();
  await other.transport.opened;
  fates(other, 'stalled');
  const send = other.transport.send(numbered(1, 1));
  await other.clock.settle();
  other.transport.abort('enough');
  await expect(send).rejects.toMatchObject({ code: 'aborted', cause: 'enough' });
  await other.transport.closed;
  await other.clock.settle();
  expect(other.clock.waiting).toBe(0);
});
