import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import fc from 'fast-check';
import { coalesceStreamEvents } from './coalesce-stream-events.ts';
import { createOutboundStream } from './outbound-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const delta = (text: string, members: object = {}, event: object = {}) => ({
  type: 'stream_event',
  event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text }, ...event },
  parent_tool_use_id: null,
  ...members,
});

/** A stream with the stage, and its output so far. */
function stream(options?: { readonly windowMs?: number }) {
  const outbound = createOutboundStream({ stage: coalesceStreamEvents(options) });
  const out: { readonly [member: string]: unknown }[] = [];
  const piped = outbound.pipeTo({
    async send(batch) {
      for (const { text, id, ephemeral } of batch.messages()) out.push({ ...JSON.parse(text), id, ephemeral });
    },
  });
  return { outbound, out, piped };
}

const textsOf = (out: readonly { readonly [member: string]: unknown }[]) =>
  out.map(({ type, event }) => (event === undefined ? type : (event as { delta: { text: string } }).delta.text));

test('increments of one block within the window become one message, under the id of the first', async () => {
  const { outbound, out } = stream();
  outbound.enqueue(delta('a', { uuid: 'u1' }), { id: 'u1', ephemeral: true });
  await vi.advanceTimersByTimeAsync(60);
  outbound.enqueue(delta('b', { uuid: 'u2' }), { id: 'u2', ephemeral: true });
  await vi.advanceTimersByTimeAsync(39);
  expect(out).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(out).toEqual([{ ...delta('ab', { uuid: 'u1' }), id: 'u1', ephemeral: true }]);
  outbound.enqueue(delta('c'));
  await vi.advanceTimersByTimeAsync(100);
  expect(textsOf(out)).toEqual(['ab', 'c']);
});

test('other messages and the end of the stream keep their order after held increments', async () => {
  const { outbound, out, piped } = stream({ windowMs: 1000 });
  outbound.enqueue(delta('a'));
  outbound.enqueue({ type: 'control_request' });
  outbound.enqueue(delta('b'));
  outbound.enqueue({ type: 'stream_event', event: { type: 'content_block_stop' } });
  outbound.enqueue(delta('c'));
  outbound.enqueue(delta('d'));
  outbound.end();
  await piped;
  expect(out.map(({ type }) => type)).toEqual([
    'stream_event',
    'control_request',
    'stream_event',
    'stream_event',
    'stream_event',
  ]);
  expect(textsOf([out[0] ?? {}, out[2] ?? {}, out[4] ?? {}])).toEqual(['a', 'b', 'cd']);
});

test.each([
  ['another block', delta('b', {}, { index: 1 })],
  ['a subagent', delta('b', { parent_tool_use_id: 'T1' })],
  ['another message', delta('b', { api_message_id: 'm2' })],
  ['another kind', delta('', {}, { delta: { type: 'thinking_delta', thinking: 'b' } })],
  ['a signature', delta('', {}, { delta: { type: 'signature_delta', signature: 'b' } })],
])('increments of %s stay separate', async (_, other) => {
  const { outbound, out } = stream();
  outbound.enqueue(delta('a'));
  outbound.enqueue(other);
  await vi.advanceTimersByTimeAsync(100);
  expect(out).toHaveLength(2);
  expect(out[1]).toMatchObject({ event: other.event });
});

test('increments of thinking and of tool input are joined, even if the caller changes the object afterwards', async () => {
  const { outbound, out } = stream();
  const first = delta('', {}, { delta: { type: 'input_json_delta', partial_json: '{"a' } });
  outbound.enqueue(first);
  Object.assign(first, { type: 'changed' });
  outbound.enqueue(delta('', {}, { delta: { type: 'input_json_delta', partial_json: '":1}' } }));
  outbound.enqueue(delta('', {}, { delta: { type: 'thinking_delta', thinking: 'x' } }));
  outbound.enqueue(delta('', {}, { delta: { type: 'thinking_delta', thinking: 'y' } }));
  await vi.advanceTimersByTimeAsync(100);
  expect(out.map(({ event }) => (event as { delta: object }).delta)).toEqual([
    { type: 'input_json_delta', partial_json: '{"a":1}' },
    { type: 'thinking_delta', thinking: 'xy' },
  ]);
});

test('a stream that failed refuses messages and drops its held increments', async () => {
  const { outbound, piped } = stream();
  outbound.enqueue(delta('a'));
  outbound.fail(new Error('gone'));
  expect(() => outbound.enqueue(delta('b'))).toThrow('Stream closed');
  await expect(piped).rejects.toThrow('gone');
  await vi.advanceTimersByTimeAsync(100);
  outbound.end();
});

test('property: each block keeps its whole text, for any other messages and any timing', async () => {
  const step = fc.oneof(
    fc.record({ block: fc.nat({ max: 2 }), text: fc.string({ maxLength: 3 }) }),
    fc.constantFrom('other', 'pass'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { outbound, out, piped } = stream();
      const expected = ['', '', ''];
      for (const one of steps) {
        if (one === 'pass') await vi.advanceTimersByTimeAsync(70);
        else if (one === 'other') outbound.enqueue({ type: 'assistant' });
        else {
          expected[one.block] += one.text;
          outbound.enqueue(delta(one.text, {}, { index: one.block }));
        }
      }
      outbound.end();
      await piped;
      const texts = ['', '', ''];
      for (const { event } of out) {
        const { index, delta: grown } = (event ?? { index: 0, delta: { text: '' } }) as {
          index: number;
          delta: { text: string };
        };
        texts[index] += grown.text;
      }
      expect(texts).toEqual(expected);
      expect(out.filter(({ type }) => type === 'assistant')).toHaveLength(
        steps.filter((one) => one === 'other').length,
      );
    }),
  );
});
