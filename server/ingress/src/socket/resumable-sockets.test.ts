/** Tests of the resumable mode of the session WebSockets, with a client that sends raw frames. */
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { answer, assistant, permission, TOKENS, user } from '../ingress.test-support.ts';
import type { JsonObject } from '../json/values.ts';
import { createMemoryEventLog } from '../log/memory-event-log.ts';
import { isMessage, later, start, textOf } from './socket-suite.test-support.ts';

verifies(
  ['WSK-46', 'RES-21', 'RES-33', 'RES-34'],
  'the resumable mode adds the log numbers to the payloads, and begins with a report of any gap',
  async () => {
    const { newSession } = await start();
    const session = await newSession();
    const { post } = await session.claimLease();
    await session.send(user('one'));
    await post(assistant('two'), assistant('three'));
    const hello = async (ack: number) => {
      const viewer = later(session.view({ resumable: true }));
      await viewer.opened;
      viewer.say({ ack, stream: 'mine', from: 1 });
      return viewer;
    };
    const fresh = await hello(0);
    await fresh.take(3, isMessage);
    expect(fresh.lines().slice(0, 4)).toMatchObject([
      { ack: 0, from: 1 },
      { id: 1, source: 'client', data: { uuid: 'uuid-one' } },
      { id: 2, source: 'worker', data: { uuid: 'uuid-two' } },
      { id: 3, source: 'worker', data: { uuid: 'uuid-three' } },
    ]);
    expect(fresh.lines()[0]).not.toHaveProperty('gap');
    expect(fresh.lines()[1]?.['data']).toEqual((await session.payloads())[0]);
    await post(assistant('four'));
    expect((await fresh.take(4, isMessage)).at(-1)).toMatchObject({ id: 4, source: 'worker' });
    const resumed = await hello(3);
    expect((await resumed.take(1, isMessage)).map(({ id }) => id)).toEqual([4]);
    expect(resumed.lines()[0]).toMatchObject({ from: 4 });
    const beyond = await hello(99);
    await beyond.take(1);
    expect(beyond.lines()[0]).toMatchObject({ from: 5, gap: { reason: 'unknown_cursor', from: 5, to: 99 } });

    // Events that retention has dropped are reported as a gap too.
    const small = await start({ log: createMemoryEventLog({ maxBytes: 300 }) });
    const short = await small.newSession();
    for (const text of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) await short.send(user(text));
    const late = later(short.view({ resumable: true }));
    await late.opened;
    late.say({ ack: 1, stream: 'mine', from: 1 });
    const [greeting] = await late.take(1);
    expect(greeting).toMatchObject({ gap: { reason: 'evicted', from: 2 } });
    await late.take(1, isMessage);
    expect(late.lines().find(isMessage)?.['id']).toBe(greeting?.['from']);
  },
);

verifies(
  ['RES-20', 'WSK-50'],
  'a line repeated under its number is stored once, also without a uuid, and its sender does not receive it',
  async () => {
    const { newSession } = await start();
    const session = await newSession();
    const { work } = await session.claimLease();
    const worker = later(work());
    const send = async (from: number, ...texts: string[]) => {
      const viewer = later(session.view({ resumable: true }));
      await viewer.opened;
      const lines = texts.map((text, index) => ({ id: from + index, data: { ...user(text), uuid: undefined } }));
      viewer.say({ ack: 0, stream: 'mine', from }, ...lines);
      await viewer.take(1, ({ ack }) => ack === from + texts.length - 1);
      return viewer;
    };
    (await send(1, 'one', 'two')).socket.terminate();
    const again = await send(1, 'one', 'two', 'three');
    expect((await worker.take(3)).map(textOf)).toEqual(['one', 'two', 'three']);
    await session.send(user('of another'));
    const received = await again.take(1, isMessage);
    expect(received.map(({ data }) => textOf(data as JsonObject))).toEqual(['of another']);
    expect(await session.events()).toHaveLength(4);
  },
);

verifies(
  ['WSK-56', 'REM-57'],
  'control_resolved has the number of the answer and reaches live and reconnecting clients, but not its sender',
  async () => {
    const { newSession } = await start();
    const session = await newSession();
    const { work, post } = await session.claimLease();
    const worker = later(work({ resumable: true }));
    await worker.opened;
    worker.say({ ack: 0, stream: 'w', from: 1 });
    await post(permission('p'), permission('q'));
    const view = async (stream: string, ack = 0) => {
      const viewer = later(session.view({ resumable: true, token: TOKENS.approver }));
      await viewer.opened;
      viewer.say({ ack, stream, from: 1 });
      return viewer;
    };
    const [one, other] = [await view('one'), await view('other')];
    for (const viewer of [one, other]) await viewer.take(2, isMessage);
    one.say({ id: 1, data: answer('p', 'allow') });
    const isResolved = ({ event }: JsonObject) => event === 'control_resolved';
    const expected = {
      id: 3,
      event: 'control_resolved',
      data: { request_id: 'p', by: 'approver', outcome: 'answered' },
    };
    expect(await other.take(1, isResolved)).toEqual([expected]);
    const back = await view('other', 2);
    expect(await back.take(1, isResolved)).toEqual([expected]);
    // The worker receives the answer itself.
    expect((await worker.take(1, isMessage))[0]).toMatchObject({ id: 3, data: { type: 'control_response' } });
    // The cancel of a client ends its own request, which may have the id of a request of the worker.
    await session.send({ type: 'control_request', request_id: 'q', request: { subtype: 'interrupt' }, uuid: 'own-q' });
    await session.send({ type: 'control_cancel_request', request_id: 'q', uuid: 'takes-q-back' });
    // A cancel of the worker is a separate event, and announced to live clients.
    await post({ type: 'control_cancel_request', request_id: 'q', uuid: 'cancels-q' });
    const cancelled = { event: 'control_resolved', data: { request_id: 'q', by: 'worker', outcome: 'cancelled' } };
    for (const viewer of [one, other, back]) await viewer.until(() => viewer.lines().some(({ id }) => id === 6));
    expect(await one.take(1, isResolved)).toEqual([cancelled]);
    expect(await other.take(2, isResolved)).toEqual([expected, cancelled]);
  },
);

test('ephemeral events and notices have no number and only reach live clients', async () => {
  const { newSession } = await start();
  const session = await newSession();
  const { work } = await session.claimLease();
  const viewer = later(session.view({ resumable: true }));
  await viewer.opened;
  viewer.say({ ack: 0, stream: 'mine', from: 1 });
  await viewer.take(1);
  const worker = later(work());
  await worker.opened;
  await session.send(user('a prompt'));
  worker.say({ type: 'stream_event', event: { text: '\u2028' }, uuid: 'now' }, assistant('whole'));
  await viewer.take(1, ({ event }) => event === 'delivery_update');
  const increments = viewer.lines().filter(({ data }) => (data as JsonObject | undefined)?.['uuid'] === 'now');
  expect(increments).toEqual([
    { source: 'worker', data: { type: 'stream_event', event: { text: '\u2028' }, uuid: 'now' } },
  ]);
  expect(viewer.lines().find(({ event }) => event === 'delivery_update')).toMatchObject({
    data: { event_id: 'uuid-a prompt', status: 'DELIVERY_STATUS_RECEIVED' },
  });
  expect(await session.events()).toHaveLength(2);
});

test('a worker gets a notice for each of its refused messages, and the other messages are stored', async () => {
  const { newSession } = await start();
  const session = await newSession();
  const { work } = await session.claimLease();
  const worker = later(work({ resumable: true }));
  await worker.opened;
  worker.say({ ack: 0, stream: 's', from: 1 }, { id: 1, data: { no: 'type' } }, { id: 2, data: assistant('taken') });
  await worker.take(1, ({ ack }) => ack === 2);
  expect(worker.lines().filter(({ event }) => event === 'message_refused')).toMatchObject([
    { data: { error: { type: 'invalid_entry' } } },
  ]);
  expect((await session.payloads()).map(({ uuid }) => uuid)).toEqual(['uuid-taken']);
});

test('the length of a stream name is limited, since it is stored with each of its messages', async () => {
  const { newSession } = await start();
  const session = await newSession();
  const { work } = await session.claimLease();
  for (const link of [later(session.view({ resumable: true })), later(work({ resumable: true }))]) {
    await link.opened;
    link.say({ ack: 0, stream: 's'.repeat(1000), from: 1 }, { id: 1, data: user('one') });
    expect(await link.closed).toBe(1008);
  }
  expect(await session.events()).toEqual([]);
});
