import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { encodeBatch, TextBatch } from '../lines/batch.ts';
import { createReplayBuffer, type ReplayBuffer } from './replay-buffer.ts';
import { numbered } from '../scripted-driver.test-support.ts';
import type { Outgoing } from '../transport.ts';

test('numbers continue from batch to batch, and acknowledged messages are dropped', () => {
  const buffer = createReplayBuffer();
  expect(buffer.append(encodeBatch({ n: 1 }, { n: 2 }, { n: 3 }))).toBe(1);
  expect(buffer.append(encodeBatch({ n: 4 }))).toBe(4);
  expect([buffer.last, buffer.acknowledged]).toEqual([4, 0]);
  buffer.acknowledge(2);
  expect(kept(buffer)).toEqual(['3 {"n":3}', '4 {"n":4}']);
  buffer.acknowledge(1);
  expect(buffer.acknowledged).toBe(2);
  buffer.acknowledge(4);
  expect([kept(buffer), buffer.bytes]).toEqual([[], 0]);
});

test('a batch above the limit is refused as overflow, as a whole', () => {
  const line = numbered(1).text.length;
  const buffer = createReplayBuffer({ maxBytes: 2 * line });
  buffer.append(numbered(1));
  buffer.append(numbered(2));
  expect(() => buffer.append(numbered(3))).toThrowError(
    expect.objectContaining({ code: 'overflow', retryable: false }),
  );
  expect([buffer.last, buffer.bytes]).toEqual([2, 2 * line]);
  buffer.acknowledge(1);
  expect(buffer.append(numbered(3))).toBe(3);
});

test('a batch above the limit is accepted if the buffer is empty', () => {
  const buffer = createReplayBuffer({ maxBytes: 1 });
  expect(buffer.append(numbered(1))).toBe(1);
  expect(() => buffer.append(numbered(2))).toThrow('replay buffer is full');
});

test('an empty batch takes no number and stores nothing', () => {
  const buffer = createReplayBuffer();
  buffer.append(numbered(1));
  expect(buffer.append(encodeBatch())).toBe(2);
  buffer.acknowledge(1);
  expect(buffer.unacknowledged()).toEqual([]);
  expect(buffer.append(numbered(2))).toBe(2);
});

test('acknowledging the messages of a long batch one by one costs the same each time', () => {
  const buffer = createReplayBuffer();
  const count = 50_000;
  buffer.append(encodeBatch(...Array.from({ length: count }, (_, n) => ({ n }))));
  // Cutting the batch at each message would take minutes.
  for (let sequence = 1; sequence < count; sequence++) buffer.acknowledge(sequence);
  expect(kept(buffer)).toEqual([`${count} {"n":${count - 1}}`]);
});

test.each([2, Number.NaN, 0.5, Number.POSITIVE_INFINITY])(
  'acknowledging %d of one message throws RangeError',
  (sequence) => {
    const buffer = createReplayBuffer();
    buffer.append(numbered(1));
    expect(() => buffer.acknowledge(sequence)).toThrow(RangeError);
    expect([buffer.acknowledged, kept(buffer)]).toEqual([0, ['1 {"type":"n","n":1}']]);
  },
);

describe('property: a replay buffer behaves like a plain list', () => {
  const message = fc.record({
    text: fc.string(),
    id: fc.option(fc.uuid(), { nil: undefined }),
    ephemeral: fc.boolean(),
  });
  const step = fc.oneof(
    fc.record({ append: fc.array(message, { maxLength: 5 }) }),
    fc.record({ acknowledge: fc.integer({ min: -2, max: 40 }) }),
  );

  test('for any sequence of calls, without loss or repetition, and with an exact byte count', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 200 }), (steps, maxBytes) => {
        const buffer = createReplayBuffer({ maxBytes });
        let last = 0;
        let model: (Outgoing & { sequence: number })[] = [];
        const bytes = () => model.reduce((sum, { text }) => sum + text.length + 1, 0);
        for (const action of steps) {
          if ('append' in action) {
            const batch = new TextBatch();
            for (const { text, id, ephemeral } of action.append)
              batch.append(`${JSON.stringify(text)}\n`, id, ephemeral);
            if (bytes() > 0 && bytes() + batch.text.length > maxBytes) {
              expect(() => buffer.append(batch)).toThrowError(expect.objectContaining({ code: 'overflow' }));
            } else {
              expect(buffer.append(batch)).toBe(last + 1);
              for (const outgoing of batch.messages()) model.push({ ...outgoing, sequence: ++last });
            }
          } else if (action.acknowledge > last) {
            expect(() => buffer.acknowledge(action.acknowledge)).toThrow(RangeError);
          } else {
            buffer.acknowledge(action.acknowledge);
            model = model.filter(({ sequence }) => sequence > action.acknowledge);
          }
          expect(contents(buffer)).toEqual(model);
          expect([buffer.last, buffer.bytes]).toEqual([last, bytes()]);
        }
      }),
    );
  });
});

function contents(buffer: ReplayBuffer): (Outgoing & { sequence: number })[] {
  return buffer.unacknowledged().flatMap(({ first, batch }) => {
    return Array.from(batch.messages(), (outgoing, index) => ({ ...outgoing, sequence: first + index }));
  });
}

function kept(buffer: ReplayBuffer): string[] {
  return contents(buffer).map(({ sequence, text }) => `${sequence} ${text}`);
}
