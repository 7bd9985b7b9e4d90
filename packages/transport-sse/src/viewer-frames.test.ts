import { encodeBatch } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { FakeClock } from './fake-clock.test-support.ts';
import { FakeSession, frameOf } from './fake-session.test-support.ts';
import { createSseTransport } from './sse-transport.ts';
import { follow, URL_OF_SESSION } from './viewer.test-support.ts';

const ephemeral = (data: object) => `event: ephemeral_event\ndata: ${JSON.stringify(data)}\n\n`;

verifies(['EVS-17', 'EVS-32', 'REM-24'], 'events that were received before are not yielded again', async () => {
  const { transport, session, clock, numbers, items } = follow();
  await transport.opened;
  session.say({ type: 'x', n: 1 });
  session.say({ type: 'x', n: 2 });
  for (const event of session.log) session.write(frameOf(event));
  await clock.settle();
  expect(numbers()).toEqual([1, 2]);
  expect(items.map((item) => item.kind === 'message' && [item.cursor, item.source])).toEqual([
    ['1', 'worker'],
    ['2', 'worker'],
  ]);
  session.cut();
  await clock.until(() => session.requests.length === 2, 'another stream');
  expect(session.requests.at(-1)?.headers['Last-Event-ID']).toBe('2');
  transport.abort();
});

test('messages of this client are not yielded, and those of other clients are', async () => {
  const { transport, session, clock, items } = follow();
  await transport.opened;
  await transport.send(encodeBatch({ type: 'user', n: 1 }, { type: 'control_request', uuid: 'mine', n: 2 }));
  session.append('{"type":"user","n":3}', 'theirs', 'client', 'user');
  await clock.settle();
  expect(session.log.map(({ source }) => source)).toEqual(['client', 'client', 'client']);
  expect(items).toMatchObject([{ kind: 'message', text: '{"type":"user","n":3}', source: 'client', cursor: '3' }]);
  transport.abort();
});

verifies(
  ['REM-31', 'REM-32'],
  'requests of other clients to the worker, and their answers, are not yielded',
  async () => {
    const { transport, session, clock, numbers } = follow();
    await transport.opened;
    for (const type of ['control_request', 'control_response', 'control_cancel_request']) {
      session.append(`{"type":"${type}","n":"${type} of a client"}`, `c-${type}`, 'client', type);
      session.append(`{"type":"${type}","n":"${type}"}`, `w-${type}`, 'worker', type);
    }
    await clock.settle();
    expect(numbers()).toEqual(['control_request', 'control_response', 'control_cancel_request']);
    transport.abort();
  },
);

verifies(
  'PERMIT-17',
  'an answer of another client is yielded as control_resolved with its cursor; an own answer is not yielded',
  async () => {
    const { transport, session, clock, items } = follow();
    await transport.opened;
    const answer = (request_id: string) => ({ type: 'control_response', response: { subtype: 'success', request_id } });
    const resolved = (request_id: string, outcome: string) =>
      session.write(`event: control_resolved\ndata: ${JSON.stringify({ request_id, by: 'x', outcome })}\n\n`);
    session.append(JSON.stringify(answer('theirs')), 'a1', 'client', 'control_response');
    // The server also sends a notice, which reports the same answer.
    resolved('theirs', 'answered');
    await transport.send(encodeBatch({ ...answer('mine'), uuid: 'a2' }));
    resolved('mine', 'answered');
    resolved('taken back', 'cancelled');
    resolved('of another server', 'answered');
    await clock.settle();
    expect(items).toEqual([
      { kind: 'notice', event: 'control_resolved', data: { request_id: 'theirs', outcome: 'answered' }, cursor: '1' },
      { kind: 'notice', event: 'control_resolved', data: { request_id: 'taken back', by: 'x', outcome: 'cancelled' } },
      {
        kind: 'notice',
        event: 'control_resolved',
        data: { request_id: 'of another server', by: 'x', outcome: 'answered' },
      },
    ]);
    transport.abort();
  },
);

test('a control_resolved about a request of a client does not count as the repetition of an answer to the worker', async () => {
  const { transport, session, clock, items } = follow();
  await transport.opened;
  const resolved = (by: string) =>
    session.write(
      `event: control_resolved\ndata: ${JSON.stringify({ request_id: 'r1', by, outcome: 'answered' })}\n\n`,
    );
  const answer = { type: 'control_response', response: { subtype: 'success', request_id: 'r1' } };
  session.append(JSON.stringify(answer), 'a1', 'client', 'control_response');
  // Some servers send notices about requests of both sides.
  resolved('worker');
  resolved('x');
  await clock.settle();
  expect(items.map((item) => item.kind === 'notice' && [item.cursor, item.data])).toEqual([
    ['1', { request_id: 'r1', outcome: 'answered' }],
    [undefined, { request_id: 'r1', by: 'worker', outcome: 'answered' }],
  ]);
  transport.abort();
});

verifies('REM-31', 'without event_type, the type is read from the message', async () => {
  const { transport, session, clock, items } = follow();
  await transport.opened;
  const event = (n: number, source: string | undefined, payload: object) => {
    session.write(`id: ${n}\nevent: client_event\ndata: ${JSON.stringify({ event_id: `e${n}`, source, payload })}\n\n`);
  };
  event(1, 'client', { type: 'control_request', request_id: 'r', request: { subtype: 'interrupt' } });
  event(2, 'client', { type: 'control_response', response: { subtype: 'success', request_id: 'p' } });
  event(3, 'client', { type: 'user' });
  event(4, 'worker', { type: 'control_request', request_id: 'p' });
  event(5, undefined, { type: 'control_request', request_id: 'q' });
  await clock.settle();
  expect(items.map((item) => [item.kind, 'cursor' in item && item.cursor])).toEqual([
    ['notice', '2'],
    ['message', '3'],
    ['message', '4'],
    ['message', '5'],
  ]);
  transport.abort();
});

test('an ephemeral event is a message without a cursor', async () => {
  const { transport, session, clock, items } = follow();
  await transport.opened;
  session.write(ephemeral({ event_type: 'stream_event', source: 'worker', payload: { type: 'stream_event', n: 1 } }));
  await clock.settle();
  expect(items).toMatchObject([{ kind: 'message', text: '{"type":"stream_event","n":1}', source: 'worker' }]);
  expect(items[0]).not.toHaveProperty('cursor');
  transport.abort();
});

verifies('EVS-11', 'other server events are yielded as notices in order, and do not move the cursor', async () => {
  const { transport, session, clock, items } = follow();
  await transport.opened;
  session.write('id: 9\nevent: delivery_update\ndata: {"event_id":"a","status":"DELIVERY_STATUS_RECEIVED"}\n\n');
  session.write('data: plain\n\n');
  session.say({ type: 'x', n: 1 });
  await clock.settle();
  expect(items).toMatchObject([
    { kind: 'notice', event: 'delivery_update', data: { event_id: 'a', status: 'DELIVERY_STATUS_RECEIVED' } },
    { kind: 'notice', event: 'message', data: 'plain' },
    { kind: 'message', cursor: '1' },
  ]);
  expect(items.slice(0, 2).map((item) => 'cursor' in item)).toEqual([false, false]);
  transport.abort();
});

test.each([
  ['a verdict of a gap', 'id: 5\nevent: resume\ndata: {"verdict":"gap","reason":"evicted","from":6,"to":7}\n\n', false],
  ['a truncated catch-up', 'event: catch_up_truncated\ndata: {}\n\n', false],
  ['a verdict that all is there', 'id: 5\nevent: resume\ndata: {"verdict":"ok"}\n\n', true],
  ['nothing', '', true],
])('%s at the start of a later link decides whether the link resumed', async (_, greeting, resumed) => {
  const { transport, session, clock, links } = follow();
  await transport.opened;
  session.greeting = () => greeting;
  session.cut();
  await clock.until(() => links().some(({ state }) => state === 'up'), 'the link is up');
  expect(links().at(-1)).toMatchObject({ state: 'up', resumed });
  transport.abort();
});

test('a gap is reported at the first link and at later links', async () => {
  const session = new FakeSession();
  session.greeting = () => 'event: catch_up_truncated\ndata: {}\n\n';
  const { transport, clock, links } = follow({ cursor: '1' }, session);
  await clock.until(() => links().length === 1, 'the gap');
  session.write('event: catch_up_truncated\ndata: {}\n\n');
  await clock.settle();
  expect(links().map(({ state, resumed }) => [state, resumed])).toEqual([
    ['up', false],
    ['up', false],
  ]);
  transport.abort();
});

verifies('RES-35', 'after an unknown cursor, new events with lower numbers are yielded', async () => {
  const session = new FakeSession();
  session.greeting = () => 'event: resume\ndata: {"verdict":"gap","reason":"unknown_cursor","from":1,"to":7}\n\n';
  const { transport, clock, links, numbers } = follow({ cursor: '7' }, session);
  await clock.until(() => links().length === 1, 'the gap');
  session.say({ type: 'x', n: 1 });
  await clock.settle();
  expect([numbers(), links()[0]?.resumed, transport.resumption.cursor]).toEqual([[1], false, undefined]);
  transport.abort();
});

test('an event above the size limit is reported in its place, in any pieces, and the next event is yielded', async () => {
  for (const size of [1, 7, 100, 100_000]) {
    for (const lineEnd of ['\n', '\r\n']) {
      const session = new FakeSession();
      session.chunk = (bytes) =>
        Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
      const { transport, clock, items } = follow({ maxEventBytes: 1000 }, session);
      await transport.opened;
      const event = (n: number, padding: number) => {
        const payload = JSON.stringify({ type: 'x', n, padding: '\u20ac'.repeat(padding) });
        const frame = frameOf({ id: `id-${n}`, sequence: n, type: 'x', source: 'worker', payload });
        session.write(frame.replaceAll('\n', lineEnd));
      };
      event(1, 0);
      event(2, 5000);
      event(3, 0);
      await clock.until(() => items.length >= 3, 'three items arrive');
      expect(items.map((item) => (item.kind === 'malformed' ? item.error.code : item.kind))).toEqual([
        'message',
        'too-large',
        'message',
      ]);
      transport.abort();
    }
  }
});

test('an invalid envelope is reported in its place', async () => {
  const { transport, session, clock, items } = follow();
  await transport.opened;
  session.write('id: 1\nevent: client_event\ndata: {"payload":{"type":"x"\n\n');
  session.write('id: 2\nevent: client_event\ndata: {"source":"worker","payload":{"type":"x"}}\n\n');
  await clock.settle();
  expect(items).toMatchObject([
    { kind: 'malformed', error: { code: 'malformed' }, excerpt: '{"payload":{"type":"x"' },
    { kind: 'message', cursor: '2' },
  ]);
  transport.abort();
});

test('a reader that does not read pauses the stream without a time limit', async () => {
  const session = new FakeSession();
  const clock = new FakeClock();
  const transport = createSseTransport({ url: URL_OF_SESSION, fetch: session.fetch, clock, maxIncomingBytes: 1000 });
  await transport.opened;
  for (let n = 1; n <= 100; n++) session.say({ type: 'x', n, padding: '.'.repeat(100) });
  await clock.pass(600_000);
  const unread = [...session.streams].reduce((sum, stream) => sum + stream.waiting, 0);
  expect(unread).toBeGreaterThan(80);
  const numbers: unknown[] = [];
  for await (const items of transport.incoming) {
    numbers.push(...items.map((item) => (item.kind === 'message' ? item.read().message?.['n'] : item)));
    if (numbers.length === 100) break;
  }
  expect(numbers).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
});

test('an archived session ends after its last message', async () => {
  const { transport, session, clock, numbers } = follow();
  await transport.opened;
  session.say({ type: 'x', n: 1 });
  session.write('event: session_archived\ndata: {}\n\n');
  await clock.settle();
  expect(await transport.closed).toEqual({ by: 'peer' });
  expect(numbers()).toEqual([1]);
});
