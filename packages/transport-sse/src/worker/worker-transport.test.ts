import { type Batch, encodeBatch } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { expect, onTestFinished, test } from 'vitest';
import type { Fate } from '../fake-session.test-support.ts';
import { WorkerConflictError } from '../index.ts';
import { FakeWorkerSession } from './fake-worker-session.test-support.ts';
import { attach } from './worker.test-support.ts';

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
/** A batch whose increments are marked as ephemeral. */
function withIncrements(...all: readonly object[]): Batch {
  const batch = encodeBatch(...all);
  const { count, text } = batch;
  return {
    count,
    text,
    *messages() {
      for (const message of batch.messages()) yield { ...message, ephemeral: message.text.includes('stream_event') };
    },
  };
}
const said = (session: FakeWorkerSession) =>
  session.log
    .filter(({ source }) => source === 'worker')
    .map(({ payload }) => (JSON.parse(payload) as { n: number }).n);
const paths = ({ requests }: FakeWorkerSession) =>
  requests.map(({ method, url }) => `${method} ${new URL(url).pathname.split('/cse_1')[1] ?? ''}`);

verifies(
  ['WRK-21', 'WRK-22'],
  'a worker registers, reads the stored metadata, reports itself, and then reads events',
  async () => {
    const session = new FakeWorkerSession();
    session.metadata = { model: 'm', pending_action: { tool_name: 'Bash' } };
    session.ask({ type: 'user', n: 1 });
    const { transport, worker, clock, numbers } = attach({}, session);
    await transport.opened;
    await clock.settle();
    expect(paths(session).slice(0, 4)).toEqual([
      'POST /worker/register',
      'GET /worker',
      'PUT /worker',
      'GET /worker/events/stream',
    ]);
    expect(await worker.restored).toEqual(session.metadata);
    expect(session.puts).toEqual([
      {
        worker_status: 'idle',
        external_metadata: { pending_action: null, pending_actions: null, task_summary: null },
      },
    ]);
    expect(numbers()).toEqual([1]);
    transport.abort();
  },
);

verifies(
  'WRK-17',
  'with a given epoch the worker does not register, and without stored metadata `restored` is null',
  async () => {
    const session = new FakeWorkerSession();
    session.epoch = 7;
    const { transport, worker } = attach({ epoch: 7 }, session);
    await transport.opened;
    expect(paths(session)).not.toContain('POST /worker/register');
    expect(await worker.restored).toBeNull();
    transport.abort();
  },
);

verifies(['REM-39', 'WORKER-6'], 'the first event of the first stream is acknowledged, by its id', async () => {
  const session = new FakeWorkerSession();
  session.ask({ type: 'user' }, 'first');
  const { transport, clock } = attach({}, session);
  await clock.settle();
  expect(session.updates).toEqual([{ event_id: 'first', status: 'received' }]);
  transport.abort();
});

verifies(
  ['EVS-45', 'EVS-48', 'EVS-49'],
  'the first message is posted at once, later messages in groups of up to 100, with one POST at a time',
  async () => {
    const session = new FakeWorkerSession();
    let [running, most] = [0, 0];
    const counted: FakeWorkerSession['fetch'] = async (url, request) => {
      if (!url.endsWith('/worker/events')) return session.fetch(url, request);
      most = Math.max(most, ++running);
      return session.fetch(url, request).finally(() => running--);
    };
    const { transport } = attach({ fetch: counted }, session);
    await transport.opened;
    const first = transport.send(encodeBatch({ type: 'x', n: 1 }));
    const rest = transport.send(encodeBatch(...upTo(249).map((n) => ({ type: 'x', n: n + 1 }))));
    await Promise.all([first, rest]);
    expect(session.batches['/events']).toEqual([1, 100, 100, 49]);
    expect(said(session)).toEqual(upTo(250));
    expect(most).toBe(1);
    transport.abort();
  },
);

verifies(['EVS-46', 'RES-13'], 'ephemeral events are marked, and not repeated when their answer was lost', async () => {
  const { transport, session, clock } = attach();
  await transport.opened;
  const fates: Fate[] = ['lost', 'served', { status: 503 }];
  session.fate = (_, url) => (url.endsWith('/worker/events') ? (fates.shift() ?? 'served') : 'served');
  const marked = withIncrements({ type: 'x', n: 1 }, { type: 'stream_event', n: 2 });
  let sent = 0;
  const send = () => void transport.send(marked).then(() => sent++);
  send();
  await clock.until(() => sent === 1, 'the batch is sent');
  expect([said(session), session.repeated, session.live.length]).toEqual([[1], 1, 1]);
  // A status answer shows that the server did not accept the event.
  send();
  await clock.until(() => sent === 2, 'the batch is sent again');
  expect(session.live.map(({ n }) => n)).toEqual([2, 2]);
  transport.abort();
});

verifies(
  ['RES-6', 'ERR-13', 'EVS-47'],
  'unanswered messages are sent again under their ids, and stored once',
  async () => {
    const { transport, session, clock } = attach();
    await transport.opened;
    let posts = 0;
    session.fate = ({ method }) => (method === 'POST' && posts++ < 3 ? 'lost' : 'served');
    const sent = transport.send(encodeBatch({ type: 'x', n: 1 }, { type: 'x', n: 2 }));
    await clock.until(() => session.repeated === 6, 'the POST is answered');
    await sent;
    expect(said(session)).toEqual([1, 2]);
    transport.abort();
  },
);

for (const reason of ['superseded_by_worker', 'epoch_stale', 'session_not_active', 'something_new']) {
  verifies('WRK-12', `a worker that is refused with ${reason} ends permanently with that reason`, async () => {
    const { transport, session } = attach();
    await transport.opened;
    session.epoch = 99;
    session.conflict = reason;
    await expect(transport.send(encodeBatch({ type: 'x', n: 1 }))).rejects.toMatchObject({
      code: 'rejected',
      status: 409,
    });
    const { error, by, status } = await transport.closed;
    expect([by, status, error?.retryable]).toEqual(['link', 409, false]);
    expect(WorkerConflictError.find(error)?.reason).toBe(reason === 'something_new' ? 'superseded_by_worker' : reason);
    expect(said(session)).toEqual([]);
  });
}

test.each([
  ['events', () => ({ type: 'x', n: 1 })],
  ['heartbeat', undefined],
])('a superseded worker ends after the answer to its %s', async (_, message) => {
  const { transport, session, clock } = attach();
  await transport.opened;
  session.epoch = 99;
  if (message !== undefined) transport.send(encodeBatch(message())).catch(() => {});
  const keepalive = () => clock.setTimeout(() => (session.write(': alive\n\n'), keepalive()), 15_000);
  const timer = keepalive();
  let isClosed = false;
  void transport.closed.then(() => (isClosed = true));
  await clock.until(() => isClosed, 'the transport is closed');
  clock.clearTimeout(timer);
});

verifies(
  'WRK-42',
  'after a refused token the worker gets a new token and epoch, and sends all pending data under them',
  async () => {
    const session = new FakeWorkerSession();
    let valid = 'token-1';
    session.epoch = 1;
    session.fate = ({ headers }) => (headers['Authorization'] === `Bearer ${valid}` ? 'served' : { status: 401 });
    const { transport, worker, clock, numbers } = attach(
      { credential: () => ({ token: valid, epoch: session.epoch }) },
      session,
    );
    await transport.opened;
    worker.reportState('running');
    await clock.settle();
    // Another process has registered for this worker, so the old epoch and the old token are invalid.
    valid = 'token-2';
    session.epoch = 2;
    session.puts.length = 0;
    const sent = transport.send(encodeBatch({ type: 'x', n: 1 }));
    worker.internalEvents.append('user', { n: 1 });
    await sent;
    await worker.internalEvents.flush();
    session.cut();
    session.ask({ type: 'user', n: 1 });
    await clock.until(() => numbers().length === 1, 'the worker reads again');
    expect([said(session), session.rows.length]).toEqual([[1], 1]);
    // The new epoch gets the state that the old epoch had reported.
    expect(session.puts).toMatchObject([{ worker_status: 'running' }]);
    transport.abort();
  },
);

test('a conflict with a later epoch of the same worker is retried', async () => {
  const session = new FakeWorkerSession();
  session.epoch = 1;
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const { transport, clock } = attach(
    {
      credential: () => ({ token: `token-${session.epoch}`, epoch: session.epoch }),
      async fetch(url, request) {
        if (url.endsWith('/worker/events')) await held;
        return session.fetch(url, request);
      },
    },
    session,
  );
  await transport.opened;
  const sent = transport.send(encodeBatch({ type: 'x', n: 1 }));
  await clock.settle();
  // The next link has the next epoch, while a POST is pending under the old epoch.
  session.epoch = 2;
  session.cut();
  await clock.until(() => session.streams.size === 1, 'another link opens');
  release();
  await clock.until(() => said(session).length === 1, 'the server stores the message');
  await sent;
  transport.abort();
});

verifies(
  ['WRK-31', 'WRK-3'],
  'state and metadata use one PUT at a time with the last value of each member, and repeats are not sent',
  async () => {
    const { transport, worker, session, clock } = attach();
    await transport.opened;
    session.puts.length = 0;
    const details = { tool_name: 'Bash' };
    worker.reportState('running');
    worker.reportState('requires_action', details);
    details.tool_name = 'changed';
    worker.reportState('requires_action', { tool_name: 'Bash' });
    worker.reportMetadata({ a: { deep: 1 }, b: 1 });
    worker.reportMetadata({ a: { other: 2 }, b: null });
    await clock.settle();
    expect(session.puts).toEqual([
      {
        worker_status: 'requires_action',
        requires_action_details: { tool_name: 'Bash' },
        external_metadata: { a: { other: 2 }, b: null },
      },
    ]);
    worker.reportState('idle');
    await clock.settle();
    worker.reportState('idle');
    await clock.settle();
    expect(session.puts.slice(1)).toEqual([{ worker_status: 'idle', requires_action_details: null }]);
    transport.abort();
  },
);

test('delivery marks are sent in order, 64 at a time, until the server accepts them', async () => {
  const { transport, worker, session, clock } = attach();
  await transport.opened;
  let posts = 0;
  session.fate = ({ method }) => (method === 'POST' && posts++ < 2 ? { status: 500 } : 'served');
  for (const n of upTo(100)) worker.reportDelivery(`id-${n}`, 'processing');
  worker.reportDelivery('id-1', 'processed');
  await clock.until(() => session.updates.length === 101, 'all marks are sent');
  expect(session.batches['/events/delivery']).toEqual([64, 37]);
  expect(session.updates.at(-1)).toEqual({ event_id: 'id-1', status: 'processed' });
  transport.abort();
});

verifies(
  ['EVS-23', 'WRK-34', 'WRK-37'],
  'heartbeats follow the interval of the server within bounds, and a probe is answered at once',
  async () => {
    const { transport, session, clock } = attach();
    await transport.opened;
    const keepalive = () => clock.setTimeout(() => (session.write(': alive\n\n'), keepalive()), 15_000);
    keepalive();
    const during = async (ms: number) => {
      const before = session.heartbeats;
      await clock.pass(ms);
      return session.heartbeats - before;
    };
    expect(await during(60_000)).toBe(3);
    session.advice = { heartbeat_interval_seconds: 3 };
    await clock.pass(20_000);
    expect(await during(60_000)).toBe(6);
    session.advice = { heartbeat_interval_seconds: 1000 };
    await clock.pass(10_000);
    expect(await during(300_000)).toBe(1);
    session.sendEphemeral({ event_type: 'heartbeat_probe' });
    expect(await during(0)).toBe(1);
    transport.abort();
  },
);

test('transcript rows are stored in order until accepted, and read in pages by owner', async () => {
  const { transport, worker, session, clock } = attach();
  await transport.opened;
  let posts = 0;
  session.fate = ({ method }) => (method === 'POST' && posts++ < 2 ? 'lost' : 'served');
  const { internalEvents } = worker;
  for (const n of upTo(250)) internalEvents.append('user', { uuid: `row-${n}`, n });
  internalEvents.append('assistant', { uuid: 's', n: 0 }, { session_agent_id: 'sub' });
  expect(internalEvents.pending).toBe(251);
  let flushed = false;
  const flushing = internalEvents.flush().then(() => (flushed = true));
  await clock.until(() => flushed, 'all rows are stored');
  await flushing;
  expect([internalEvents.pending, session.batches['/internal-events']]).toEqual([0, [100, 100, 100, 100, 51]]);
  const read = async (scope: 'foreground' | 'subagents') => {
    const numbers: number[] = [];
    for await (const row of internalEvents.read(scope)) numbers.push((row as { payload: { n: number } }).payload.n);
    return numbers;
  };
  expect(await read('foreground')).toEqual(upTo(250));
  expect(await read('subagents')).toEqual([0]);
  transport.abort();
});

test('flush reports permanently refused rows once, and a read of an unknown transcript rejects with 404', async () => {
  const { transport, worker, session } = attach();
  await transport.opened;
  session.fate = (_, url) => (url.includes('internal-events') ? { status: 413 } : 'served');
  worker.internalEvents.append('user', {});
  await expect(worker.internalEvents.flush()).rejects.toMatchObject({ code: 'rejected', status: 413 });
  await worker.internalEvents.flush();
  session.fate = (_, url) => (url.includes('internal-events') ? { status: 404 } : 'served');
  const rows = worker.internalEvents.read('foreground') as AsyncGenerator<unknown>;
  await expect(rows.next()).rejects.toMatchObject({ code: 'rejected', status: 404 });
  await transport.send(encodeBatch({ type: 'x', n: 1 }));
  transport.abort();
});

verifies(
  ['WRK-32', 'WRK-33'],
  'close sends pending data and then reports disconnected, unless a turn is running',
  async () => {
    const idle = attach();
    await idle.transport.opened;
    idle.worker.reportMetadata({ last: true });
    idle.worker.internalEvents.append('user', {});
    void idle.transport.send(encodeBatch({ type: 'x', n: 1 }));
    await idle.transport.close();
    expect(idle.session.puts.slice(1)).toEqual([
      { external_metadata: { last: true } },
      { connection_status: 'disconnected' },
    ]);
    expect([said(idle.session), idle.session.rows.length]).toEqual([[1], 1]);
    await idle.clock.settle();
    expect(idle.clock.waiting).toBe(0);

    const running = attach();
    await running.transport.opened;
    running.worker.reportState('running');
    await running.transport.close();
    expect(running.session.puts.at(-1)).toMatchObject({ worker_status: 'running' });
  },
);

test('close does not wait for an answer to the disconnect report', async () => {
  const { transport, session, clock } = attach();
  await transport.opened;
  await clock.settle();
  session.fate = ({ method }) => (method === 'PUT' ? 'stalled' : 'served');
  const closing = transport.close();
  await clock.pass(2100);
  await closing;
  expect((await transport.closed).error).toBeUndefined();
  expect(clock.waiting).toBe(0);
});

test('an outbound-only worker opens no stream, and otherwise works the same', async () => {
  const { transport, worker, session } = attach({ outboundOnly: true });
  await transport.opened;
  await transport.send(encodeBatch({ type: 'x', n: 1 }));
  worker.reportState('running');
  await transport.close();
  expect(paths(session)).not.toContain('GET /worker/events/stream');
  expect(said(session)).toEqual([1]);
});

for (const { what, status, times } of [
  { what: '404 three times', status: 404, times: 3 },
  { what: '403 ten times', status: 403, times: 10 },
]) {
  verifies(['WRK-39', 'WRK-40'], `${what} in a row ends the transport permanently, and fewer do not`, async () => {
    const { transport, session, clock } = attach({ connectDeadlineMs: 3_600_000 });
    await transport.opened;
    let left = times - 1;
    session.fate = ({ method }) => (method === 'POST' && left-- > 0 ? { status } : 'served');
    const sent = transport.send(encodeBatch({ type: 'x', n: 1 }));
    let isSent = false;
    void sent.then(() => (isSent = true));
    const keepalive = () => clock.setTimeout(() => (session.write(': alive\n\n'), keepalive()), 15_000);
    keepalive();
    await clock.until(() => isSent, 'the message is sent');
    left = times;
    const failed = transport.send(encodeBatch({ type: 'x', n: 2 }));
    let error: unknown;
    failed.catch((reason: unknown) => (error = reason));
    await clock.until(() => error !== undefined, 'the transport gives up');
    expect(error).toMatchObject({ code: 'rejected', status, retryable: false });
    expect((await transport.closed).status).toBe(status);
  });
}

for (const status of [400, 413, 422]) {
  verifies('WRK-26', `a first report that is answered with ${status} rejects at once`, async () => {
    const session = new FakeWorkerSession();
    session.fate = ({ method }) => (method === 'PUT' ? { status } : 'served');
    const { transport } = attach({}, session);
    await expect(transport.opened).rejects.toMatchObject({ code: 'rejected', status });
    await transport.closed;
  });
}

test('attempts to open end in time with the last error', async () => {
  const session = new FakeWorkerSession();
  session.fate = ({ method }) => (method === 'PUT' ? { status: 503 } : 'served');
  const { transport, clock } = attach({}, session);
  let error: unknown;
  transport.opened.catch((reason: unknown) => (error = reason));
  await clock.until(() => error !== undefined, 'the transport gives up');
  expect(error).toMatchObject({ code: 'connect-failed', status: 503, retryable: true });
  await transport.closed;
  expect(clock.waiting).toBe(0);
});

verifies(
  'WRK-25',
  'the transport opens also when the stored metadata cannot be read, and `restored` is then null',
  async () => {
    for (const fate of ['stalled', { status: 500 }, { status: 400 }] as const) {
      const session = new FakeWorkerSession();
      session.fate = ({ method }, url) => (method === 'GET' && url.endsWith('/worker') ? fate : 'served');
      const { transport, worker, clock } = attach({}, session);
      let isOpen = false;
      void transport.opened.then(() => (isOpen = true));
      await clock.until(() => isOpen, 'the transport is open');
      expect(await worker.restored).toBeNull();
      transport.abort();
    }
  },
);

verifies(
  ['EVS-25', 'RES-36'],
  'the cursor is sent in the header and in the URL, and events of the worker itself are not yielded',
  async () => {
    const { transport, session, clock, numbers } = attach();
    await transport.opened;
    session.ask({ type: 'user', n: 1 });
    session.write(
      'id: 2\nevent: client_event\ndata: {"event_id":"w","source":"worker","payload":{"type":"control_request","n":2}}\n\n',
    );
    await clock.settle();
    session.cut();
    await clock.until(() => session.streams.size === 1, 'another link opens');
    const request = session.requests.findLast(({ url }) => url.includes('/stream'));
    expect(numbers()).toEqual([1]);
    expect([
      request?.headers['Last-Event-ID'],
      new URL(request?.url ?? '').searchParams.get('from_sequence_num'),
    ]).toEqual(['2', '2']);
    transport.abort();
  },
);

verifies(['EVS-12', 'EVS-13'], 'frames without an event or without JSON do not stop the worker', async () => {
  const { transport, session, clock, numbers } = attach();
  await transport.opened;
  session.write('data: {"event_id":"a","payload":{"type":"user","n":0}}\n\n');
  session.write('event: client_event\ndata: {"event_id":\n\n');
  session.write('event: ephemeral_event\ndata: no JSON\n\n');
  session.ask({ type: 'user', n: 1 });
  await clock.settle();
  expect(numbers().filter((n) => n !== undefined)).toEqual([1]);
  transport.abort();
});

verifies('WRK-38', 'the worker goes on when heartbeats fail', async () => {
  const { transport, session, clock } = attach();
  await transport.opened;
  const keepalive = () => clock.setTimeout(() => (session.write(': alive\n\n'), keepalive()), 15_000);
  keepalive();
  const fates: Fate[] = ['lost', { status: 500 }, { status: 400 }, { status: 429 }];
  session.fate = (_, url) => (url.endsWith('/heartbeat') ? (fates.shift() ?? 'served') : 'served');
  await clock.pass(200_000);
  expect([fates.length, session.heartbeats > 0]).toEqual([0, true]);
  await transport.send(encodeBatch({ type: 'x', n: 1 }));
  expect(said(session)).toEqual([1]);
  transport.abort();
});

for (const status of [401, 403, 404]) {
  verifies(
    'WRK-41',
    `a stream that is refused with ${status} is not opened again with the same credential`,
    async () => {
      const session = new FakeWorkerSession();
      session.fate = (_, url) => (url.includes('/events/stream') ? { status } : 'served');
      const { transport, clock } = attach({ credential: () => ({ token: 'one', epoch: 0 }) }, session);
      await expect(transport.opened).rejects.toMatchObject({ code: 'rejected', status });
      await clock.pass(600_000);
      expect(session.requests.filter(({ url }) => url.includes('/events/stream'))).toHaveLength(1);
    },
  );
}

verifies(
  ['WRK-41', 'ERR-17'],
  'a worker whose stream is refused asks for credentials until it gets another one, and opens the stream with that',
  async () => {
    const session = new FakeWorkerSession();
    let token = 'one';
    let asked = 0;
    const credential = () => (asked++, { token, epoch: 0 });
    const { transport, clock, links } = attach({ credential }, session);
    await transport.opened;
    const opened = () => session.requests.filter(({ url }) => url.includes('/events/stream')).length;
    session.fate = ({ headers }, url) =>
      url.includes('/events/stream') && headers['Authorization'] === 'Bearer one' ? { status: 401 } : 'served';
    session.cut();
    await clock.pass(60_000);
    expect([opened(), asked > 3]).toEqual([2, true]);
    expect(links().at(-1)).toMatchObject({ state: 'down', cause: { status: 401 } });
    token = 'two';
    await clock.until(() => links().at(-1)?.state === 'up', 'the link is up');
    expect(opened()).toBe(3);
    transport.abort();
  },
);

verifies(
  ['WRK-42', 'WRK-43'],
  'a worker that takes the lease again drops the increments that wait, and posts later ones',
  async () => {
    const session = new FakeWorkerSession();
    session.epoch = 1;
    const { transport } = attach(
      { credential: () => ({ token: `token-${session.epoch}`, epoch: session.epoch }) },
      session,
    );
    session.fate = ({ headers }) =>
      headers['Authorization'] === `Bearer token-${session.epoch}` ? 'served' : { status: 401 };
    await transport.opened;
    const increments = upTo(250).map((n) => ({ type: 'stream_event', n }));
    session.epoch = 2;
    // The increments are on both sides of a message that the server keeps, and fill several posts.
    await transport.send(withIncrements(...increments, { type: 'x', n: 1 }, ...increments));
    expect([said(session), session.live, session.batches['/events']]).toEqual([[1], [], [1]]);
    session.epoch = 3;
    await transport.send(withIncrements(...increments));
    expect([session.live, session.batches['/events']]).toEqual([[], [1]]);
    await transport.send(withIncrements({ type: 'stream_event', n: 7 }));
    expect(session.live).toMatchObject([{ n: 7 }]);
    transport.abort();
  },
);

verifies.fails(
  'WRK-43',
  'a worker that takes the lease again drops the increments of every send that waits',
  async () => {
    const session = new FakeWorkerSession();
    session.epoch = 1;
    const { transport } = attach(
      { credential: () => ({ token: `token-${session.epoch}`, epoch: session.epoch }) },
      session,
    );
    session.fate = ({ headers }) =>
      headers['Authorization'] === `Bearer token-${session.epoch}` ? 'served' : { status: 401 };
    onTestFinished(() => transport.abort());
    await transport.opened;
    session.epoch = 2;
    const first = transport.send(withIncrements({ type: 'x', n: 1 }));
    const second = transport.send(withIncrements({ type: 'stream_event', n: 2 }));
    await Promise.all([first, second]);
    expect(session.live).toEqual([]);
  },
);
