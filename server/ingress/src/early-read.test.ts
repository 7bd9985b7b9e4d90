/** Tests of readers that find events in the store before the session knows that they are stored. */
import { verifies } from '@proto/test-support/verifies';
import { expect } from 'vitest';
import { permission, startIngress, user } from './ingress.test-support.ts';
import type { EventLog } from './log/event-log.ts';
import { createMemoryEventLog } from './log/memory-event-log.ts';

/** A store that answers appends late while `late.is` is true, as over a network: others can read the events before. */
function lateStore() {
  const log = createMemoryEventLog();
  const late = { is: false, answer: () => {} };
  const append: EventLog['append'] = async (...of) => {
    const appended = await log.append(...of);
    if (late.is) await new Promise<void>((resolve) => (late.answer = resolve));
    return appended;
  };
  return { late, log: { ...log, append } satisfies EventLog };
}

verifies('RES-29', 'a worker that connects while a message is being stored gets the message', async () => {
  const { log, late } = lateStore();
  const { newSession } = await startIngress({ log });
  const session = await newSession();
  const { follow } = await session.claimLease();
  late.is = true;
  const sent = session.send([user('early')]);
  await expect.poll(async () => (await log.read(session.id, 0)).last).toBe(1);
  const worker = await follow();
  await worker.until(() => worker.of('resume').length === 1);
  late.is = false;
  late.answer();
  await sent;
  await worker.take(1);
  expect(worker.of('client_event').map(({ id }) => id)).toEqual(['1']);
});

verifies(
  'RES-29',
  'a viewer that connects while a request of the worker is being stored gets the request',
  async () => {
    const { log, late } = lateStore();
    const { newSession } = await startIngress({ log });
    const session = await newSession();
    const { say } = await session.claimLease();
    late.is = true;
    const said = say(permission('x'));
    await expect.poll(async () => (await log.read(session.id, 0)).last).toBe(1);
    const viewer = await session.view();
    await viewer.until(() => viewer.of('resume').length === 1);
    late.is = false;
    late.answer();
    await said;
    await viewer.take(1);
    expect(viewer.of('client_event').map(({ id }) => id)).toEqual(['1']);
  },
);
