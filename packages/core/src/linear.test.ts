import { describe, expect, test } from 'vitest';
import { growth, leastCpuOf, MOST_GROWTH } from './growth.test-support.ts';
import { createConversation } from './session/agent/conversation.ts';
import { createTurnQueue } from './session/agent/turn-queue.ts';
import { INITIAL_SESSION_STATE, trackSession } from './session/host/session-tracker.ts';
import { INITIAL_STREAM_REPORT, reportMessage } from './session/host/stream-report.ts';
import { OrderedCursors } from './transport/ordered-cursors.ts';
import { RecentIds } from './transport/recent-ids.ts';

const ids = (count: number) => Array.from({ length: count }, (_, n) => `id${n}`);

describe('what a peer sends costs in proportion to its size', () => {
  test('places that are acknowledged one by one', () => {
    const ratio = growth(12_000, (n) => {
      const cursors = new OrderedCursors(undefined);
      const all = ids(n);
      return () => {
        for (const id of all) cursors.received(id);
        for (const id of all) cursors.acknowledge(id);
      };
    });
    expect(ratio).toBeLessThan(MOST_GROWTH);
  });

  test('ids that push out the oldest', () => {
    const ratio = growth(8000, (n) => {
      const recent = new RecentIds(n / 2);
      const all = ids(n);
      return () => {
        for (const id of all) recent.add(id);
      };
    });
    expect(ratio).toBeLessThan(MOST_GROWTH);
  });

  test('prompts that go ahead of all others, and join a turn one by one', () => {
    const ratio = growth(5000, (n) => () => {
      const queue = createTurnQueue<number>(() => new Promise(() => {}));
      for (let item = 0; item < n; item++) queue.addFirst(item);
      while (queue.takeFirst(() => true) !== undefined);
    });
    expect(ratio).toBeLessThan(MOST_GROWTH);
  });

  test('a result that names many prompts', () => {
    const ratio = growth(20_000, (n) => {
      const state = { ...INITIAL_SESSION_STATE, prompts: ids(n / 20) };
      const message = { type: 'result', user_message_uuids: ids(n).map((id) => `x${id}`) };
      return () => void trackSession(state, { message });
    });
    expect(ratio).toBeLessThan(MOST_GROWTH);
  });

  test('prompts of a long conversation', () => {
    const ratio = growth(2000, (n) => {
      const conversation = createConversation({}, () => 'id');
      const messages = ids(n).map((uuid) => ({ type: 'user', uuid }));
      return () => {
        for (const message of messages) conversation.begin(message);
      };
    });
    expect(ratio).toBeLessThan(MOST_GROWTH);
  });
});

test('a message with many calls costs less to follow than to parse', () => {
  const content = ids(200_000).map((id) => ({ type: 'tool_use', id }));
  const text = JSON.stringify(content);
  const followed = leastCpuOf(
    () => void reportMessage(INITIAL_STREAM_REPORT, { type: 'assistant', message: { content } }),
  );
  // A copy of the 1000 calls that are kept, for each that came, took ten times as long.
  expect(followed).toBeLessThan(3 * leastCpuOf(() => void JSON.parse(text)));
});

test('a session follows 10 000 prompts, and further ones when some are over', () => {
  const full = ids(10_001).reduce((state, prompt) => trackSession(state, { prompt }), INITIAL_SESSION_STATE);
  expect(full.prompts).toHaveLength(10_000);
  const less = trackSession(full, { message: { type: 'result', user_message_uuid: 'id0' } });
  expect(trackSession(less, { prompt: 'next' }).prompts.at(-1)).toBe('next');
});

test('ids are remembered up to a number and a length', () => {
  const recent = new RecentIds(3, 10);
  for (const id of ['a', 'b', 'c', 'a', 'd']) recent.add(id);
  expect(['a', 'b', 'c', 'd'].map((id) => recent.has(id))).toEqual([false, true, true, true]);
  recent.add('123456789');
  expect([recent.has('c'), recent.has('d'), recent.size]).toEqual([false, true, 2]);
  recent.add('12345678901');
  expect(recent.size).toBe(0);
});
