import fc from 'fast-check';
import { expect, test } from 'vitest';

import { batchFrom, encodeBatch, TextBatch } from './batch.ts';

test('a batch is text: a later change of the object has no effect', () => {
  const message = { type: 'n', list: [1] };
  const batch = encodeBatch(message);
  message.list.push(2);
  expect(batch.text).toBe('{"type":"n","list":[1]}\n');
  expect(batch.count).toBe(1);
});

test.each([
  ['a function', () => {}],
  ['a BigInt inside', { type: 'n', n: 1n }],
])('encodeBatch throws a TypeError for %s', (_what, value) => {
  expect(() => encodeBatch({ type: 'n' }, value)).toThrow(TypeError);
});

test('a batch may have no messages', () => {
  expect([encodeBatch().count, encodeBatch().text, [...encodeBatch().messages()]]).toEqual([0, '', []]);
});

test('a message of a batch has its id and its ephemeral flag', () => {
  const batch = new TextBatch();
  batch.append('{"a":1}', 'id-1');
  batch.append('{"a":2}', undefined, true);
  batch.append('{"a":3}');
  expect([...batch.messages()]).toEqual([
    { text: '{"a":1}', id: 'id-1', ephemeral: false },
    { text: '{"a":2}', id: undefined, ephemeral: true },
    { text: '{"a":3}', id: undefined, ephemeral: false },
  ]);
  expect(batch.at(1).text).toBe('{"a":2}');
});

test('property: the messages of a batch concatenate to its text; batchFrom keeps the ids and flags of the messages', () => {
  const message = fc.record({
    text: fc.object().map((value) => JSON.stringify(value)),
    id: fc.option(fc.string(), { nil: undefined }),
    ephemeral: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(message), fc.nat({ max: 20 }), (messages, from) => {
      const batch = new TextBatch();
      for (const { text, id, ephemeral } of messages) batch.append(text, id, ephemeral);
      const all = [...batch.messages()];
      expect(all.map(({ text }) => `${text}\n`).join('')).toBe(batch.text);
      expect(all).toEqual(messages);
      const rest = batchFrom(batch, from);
      expect([...rest.messages()]).toEqual(all.slice(from));
      expect(rest.count).toBe(Math.max(0, messages.length - from));
    }),
  );
});

test('property: a batch that was packed after any message is the same batch', () => {
  const text = fc.string({ unit: 'grapheme' }).map((value) => JSON.stringify({ value }));
  const read = fc.constantFrom<(batch: TextBatch) => void>(
    () => {},
    (batch) => void batch.text,
    (batch) => void batch.at(0),
    (batch) => batch.pack(),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(text, read), { minLength: 1 }), (messages) => {
      const batch = new TextBatch();
      let whole = '';
      for (const [added, then] of messages) {
        batch.append(added);
        whole += `${added}\n`;
        then(batch);
      }
      expect([...batch.messages()].map((message) => message.text)).toEqual(messages.map(([added]) => added));
      expect(batch.text).toBe(whole);
    }),
  );
});
