import { verifies } from '@proto/test-support/verifies';
import { expect, test, vi } from 'vitest';
import { agentPeer, assistant, user } from '../agent-peer.test-support.ts';
import { createPermissionRequests } from '../permissions/permission-requests.ts';
import { createPromptIntake } from './prompt-intake.ts';
import { DEFAULT_MAX_QUEUED_LENGTH, DEFAULT_MAX_QUEUED_PROMPTS } from './prompt-queue.ts';
import type { RunTurn } from '../turns/turn.ts';

/** An agent whose first turn lasts until the test ends it, and its messages. */
function busyAgent() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const runTurn: RunTurn = async function* () {
    await ended;
    yield assistant('done');
  };
  const peer = agentPeer({ runTurn });
  void peer.until(() => false);
  const reported = (state: string) => peer.seen.filter((message) => message['state'] === state);
  const notices = () => peer.seen.filter(({ subtype }) => subtype === 'informational');
  return { ...peer, end: () => end(), reported, notices };
}

test('10 000 prompts may be queued; further prompts are refused by their ids, with one warning', async () => {
  const { session, end, reported, notices } = busyAgent();
  void session.emit(user('runs', { uuid: 'first' }));
  await vi.waitFor(() => expect(reported('started')).toHaveLength(1));
  for (let n = 0; n < DEFAULT_MAX_QUEUED_PROMPTS; n++) await session.emit(user('x', { shouldQuery: false }));
  void session.emit(user('y', { uuid: 'late' }));
  void session.emit(user('y', { uuid: 'later' }));
  await vi.waitFor(() => expect(reported('refused')).toHaveLength(2));
  expect(reported('refused')).toMatchObject([{ command_uuid: 'late' }, { command_uuid: 'later' }]);
  expect(notices()).toMatchObject([{ content: expect.stringContaining('10000 prompts'), level: 'warning' }]);
  // A refused prompt does not count as accepted, so the host may send the prompt again when the queue has room.
  await session.request({ subtype: 'interrupt', cancel_queued: true });
  void session.emit(user('y', { uuid: 'late' }));
  end();
  await vi.waitFor(() =>
    expect(reported('completed')).toContainEqual(expect.objectContaining({ command_uuid: 'late' })),
  );
});

test('prompts of 64 Mi characters in total may be queued', async () => {
  const { session, reported } = busyAgent();
  void session.emit(user('runs', { uuid: 'first' }));
  await vi.waitFor(() => expect(reported('started')).toHaveLength(1));
  const half = 'x'.repeat(DEFAULT_MAX_QUEUED_LENGTH / 2);
  for (const uuid of ['a', 'b', 'c']) await session.emit(user(half, { uuid }));
  await vi.waitFor(() => expect(reported('refused')).toMatchObject([{ command_uuid: 'c' }]));
  await session.request({ subtype: 'cancel_async_message', message_uuid: 'a' });
  await session.emit(user(half, { uuid: 'd' }));
  await vi.waitFor(() => expect(reported('queued').at(-1)).toMatchObject({ command_uuid: 'd' }));
});

test('1000 unexpected answers may wait for their handler, and further answers are dropped', async () => {
  const received: unknown[] = [];
  let goOn = () => {};
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const requests = createPermissionRequests({
    session: { request: () => Promise.reject(new Error('not used')), pending: {} as never, outbound: { enqueue() {} } },
    onUnexpectedResponse: async (response) => {
      received.push(response['n']);
      await gate;
    },
  });
  const response = { subtype: 'success', request_id: 'x' };
  const done = Array.from({ length: 1500 }, (_, n) => requests.unexpected({ type: 'control_response', response, n }));
  goOn();
  await Promise.all(done);
  expect(received).toEqual(Array.from({ length: 1000 }, (_, n) => n));
  await new Promise((resolve) => setImmediate(resolve));
  await requests.unexpected({ type: 'control_response', response, n: 'again' });
  expect(received.at(-1)).toBe('again');
});

verifies(
  'TRN-26',
  'a prompt is reported as queued before it is reported as cancelled, even while others are being reported',
  () => {
    const states: string[] = [];
    const intake = createPromptIntake({
      options: { runTurn: async function* () {} },
      worker: undefined,
      send({ command_uuid: uuid, state }) {
        states.push(`${String(uuid)} ${String(state)}`);
        // A request that waited for room is served while the first prompt is being reported.
        if (states.length === 1) intake.report({ uuid: 'two' }, 'cancelled');
      },
    });
    for (const uuid of ['one', 'two', 'three']) intake.take(user('go', { uuid }));
    intake.report({ uuid: 'one' }, 'started');
    expect(states).toEqual(['one queued', 'two queued', 'three queued', 'two cancelled', 'one started']);
  },
);
