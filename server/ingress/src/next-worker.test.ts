/** Tests of the state of a worker after a restart of the server, and after another worker claimed the lease. */
import { once } from 'node:events';
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { answer, assistant, permission, readFrames, startIngress, user } from './ingress.test-support.ts';
import type { EventLog } from './log/event-log.ts';
import { createMemoryEventLog } from './log/memory-event-log.ts';
import { createAnswerRate } from './rate/rate-limit.ts';
import { Sessions } from './session/sessions.ts';
import { afterwards, start } from './socket/socket-suite.test-support.ts';
import { openWebSink } from './stream/event-sink.ts';
import { BEGINNING } from './stream/reader-cursor.ts';

const initialize = { type: 'control_request', request_id: 'i', request: { subtype: 'initialize' }, uuid: 'asks-i' };
const uuids = (messages: readonly object[]) => messages.map((message) => (message as { uuid: string }).uuid);

verifies(
  'REM-35',
  'an answered request stays answered after a restart of the server, also when an agent lists it as pending again',
  async () => {
    const log = createMemoryEventLog();
    const before = await startIngress({ log });
    const session = await before.newSession();
    const { say } = await session.claimLease();
    await say(permission('p'));
    await session.send([initialize]);
    await session.send([answer('p', 'allow')]);
    // Enough events for a checkpoint, so the next server reads the answer from the checkpoint and not from the log.
    await say(...Array.from({ length: 500 }, (_, n) => assistant(String(n))));
    expect(await log.readDocument(session.id, 'checkpoint')).toBeDefined();
    await before.ingress.drain();

    const after = await startIngress({ log });
    const again = after.sessionOf(session.id);
    const worker = await again.claimLease();
    const stream = await worker.follow();
    // The agent lists the request because it was asked before it read the answer.
    const response = {
      subtype: 'success',
      request_id: 'i',
      response: {},
      pending_permission_requests: [permission('p')],
    };
    await worker.say({ type: 'control_response', response, uuid: 'answers-i' });
    const { body } = await again.send([answer('p', 'deny', 'second')]);
    expect(body['events']).toMatchObject([{ error: { type: 'already_resolved' } }]);
    await again.send([user('last')]);
    expect(uuids(await stream.take(3))).toEqual(['asks-i', 'answers-p-allow', 'uuid-last']);
    await stream.close();
  },
);

/** A session with one prompt and one worker with the lease. */
async function sessionWithPrompt(log: EventLog) {
  const sessions = new Sessions({
    log,
    now: Date.now,
    stallTimeoutMs: 1000,
    maxSessions: 1,
    maxStoredSessions: 1,
    answerRate: createAnswerRate(Date.now),
    onError: () => {},
  });
  const session = await sessions.create('a');
  if (session === undefined) throw new Error('no session was created');
  await session.claimLease('former');
  const text = JSON.stringify(user('a'));
  const entry = { id: 'uuid-a', type: 'user', payload: user('a'), text, ephemeral: false };
  await session.postFromClient([entry], { source: 'client', name: 'ann', role: 'driver' });
  return session;
}

test('a delivery proof of a superseded worker is ignored, and the next worker receives the prompt', async () => {
  const session = await sessionWithPrompt(createMemoryEventLog());
  await session.claimLease('present');
  expect(await session.proveDelivery('former', 1)).toBe('superseded_by_worker');
  expect(session.deliveredUpTo).toBe(0);
  const { response, sink } = openWebSink({});
  session.openWorker(sink, BEGINNING);
  const stream = readFrames(response);
  expect(uuids(await stream.take(1))).toEqual(['uuid-a']);
  await stream.close();
});

verifies('REM-44', 'viewers are notified once that a prompt was delivered, after the delivery is stored', async () => {
  const log = createMemoryEventLog();
  const session = await sessionWithPrompt(log);
  const { response, sink } = openWebSink({});
  session.openViewer(sink, { sequence: 1 });
  const stream = readFrames(response);
  afterwards(() => stream.close());
  const { append } = log;
  const stored: string[] = [];
  log.append = () => Promise.reject(new Error('no room'));
  await expect(session.proveDelivery('former', 1)).rejects.toThrow('no room');
  log.append = (name, events) => {
    stored.push(...events.map(({ payload }) => payload));
    return append(name, events);
  };
  const text = JSON.stringify(user('b'));
  const entry = { id: 'uuid-b', type: 'user', payload: user('b'), text, ephemeral: false };
  await session.postFromClient([entry], { source: 'client', name: 'ann', role: 'driver' });
  await session.proveDelivery('former', 2);
  expect(stored).toEqual([text, '{"upTo":1}', '{"upTo":2}']);
  await stream.until(() => stream.of('delivery_update').length >= 2);
  expect(stream.of('delivery_update').map(({ data }) => data?.['event_id'])).toEqual(['uuid-a', 'uuid-b']);
});

test('a delivery proof of one worker does not count for the next worker, which is asked the open requests', async () => {
  const { newSession } = await start();
  const session = await newSession();
  const former = (await session.claimLease()).work();
  await former.opened;
  await session.send(user('a'), initialize);
  await former.take(2);
  await once(former.socket, 'ping');

  const { work } = await session.claimLease();
  // The header claims an earlier message, so the server treats this worker as one that reconnects.
  const present = work({ headers: { 'x-last-request-id': 'last' } });
  afterwards(() => present.close());
  await present.opened;
  await session.send(user('b'));
  expect(uuids(await present.take(2))).toEqual(['asks-i', 'uuid-b']);
});
