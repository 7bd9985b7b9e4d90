import { growth, leastCpuOf, MOST_GROWTH } from '@proto/test-support';
import { expect, test } from 'vitest';
import { INITIAL_SESSION_STATE, trackSession } from './state/session-tracker.ts';
import { INITIAL_STREAM_REPORT, reportMessage } from './state/stream-report.ts';

const ids = (count: number) => Array.from({ length: count }, (_, n) => `id${n}`);

test('the cost of a result that names many prompts grows in proportion to its size', () => {
  const ratio = growth(20_000, (n) => {
    const state = { ...INITIAL_SESSION_STATE, prompts: ids(n / 20) };
    const message = { type: 'result', user_message_uuids: ids(n).map((id) => `x${id}`) };
    return () => void trackSession(state, { message });
  });
  expect(ratio).toBeLessThan(MOST_GROWTH);
});

test('tracking a message with many tool calls costs less than three times its parsing', () => {
  const content = ids(200_000).map((id) => ({ type: 'tool_use', id }));
  const text = JSON.stringify(content);
  const followed = leastCpuOf(
    () => void reportMessage(INITIAL_STREAM_REPORT, { type: 'assistant', message: { content } }),
  );
  // Copying the 1000 remembered calls for each new call took ten times as long.
  expect(followed).toBeLessThan(3 * leastCpuOf(() => void JSON.parse(text)));
});

test('a session tracks 10 000 prompts, and tracks more when some have ended', () => {
  const full = ids(10_001).reduce((state, prompt) => trackSession(state, { prompt }), INITIAL_SESSION_STATE);
  expect(full.prompts).toHaveLength(10_000);
  const less = trackSession(full, { message: { type: 'result', user_message_uuid: 'id0' } });
  expect(trackSession(less, { prompt: 'next' }).prompts.at(-1)).toBe('next');
});
