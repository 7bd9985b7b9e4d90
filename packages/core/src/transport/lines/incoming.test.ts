import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';

import { flattenIncoming, incomingLines, incomingMessage } from './incoming.ts';
import type { Incoming } from '../transport.ts';

test('a message is parsed once, and read returns the same result each time', () => {
  const message = incomingMessage('{"type":"n","n":1}');
  const first = message.read();
  expect(first).toEqual({ message: { type: 'n', n: 1 } });
  expect(message.read()).toBe(first);
});

test.each([
  ['not-json', '{"type":'],
  ['null', 'null'],
  ['not-an-object', '[1]'],
  ['no-type', '{"kind":"n"}'],
])('read returns an error for a line that is not a message: %s', (reason, line) => {
  const { error, message } = incomingMessage(line).read();
  expect(message).toBeUndefined();
  expect(error).toMatchObject({ name: 'TransportError', code: 'malformed', retryable: false });
  expect(error?.message).toBe(`a line is not a message: ${reason}`);
});

test('the error of a line contains nothing of the line', () => {
  const { error } = incomingMessage('secret-token').read();
  expect(`${error?.message}${error?.stack}`).not.toContain('secret-token');
});

test('a message keeps its cursor and its source', () => {
  expect(incomingMessage('{}', { cursor: '7', source: 'worker' })).toMatchObject({ cursor: '7', source: 'worker' });
  expect('cursor' in incomingMessage('{}')).toBe(false);
});

test.each([
  ['{"type":"user","uuid":"u1"}', 'u1'],
  ['{"type":"user"}', undefined],
  ['{"type":"user","uuid":7}', undefined],
  ['no json', undefined],
])('the id of a message is its uuid: %s', (text, id) => {
  expect(incomingMessage(text).id).toBe(id);
});

test('an id from the transport makes parsing of the text unnecessary', () => {
  const message = incomingMessage('no json', { id: 'e1', cursor: '7' });
  expect(message).toMatchObject({ id: 'e1', cursor: '7', text: 'no json' });
});

test('decoded lines become items in their order', () => {
  const lost = { kind: 'too-large' as const, bytes: 9, limit: 4, head: 'abcd' };
  const [first, second, third] = incomingLines(['{"a":1}', lost, '{"a":2}']);
  expect(first).toMatchObject({ kind: 'message', text: '{"a":1}' });
  expect(second).toMatchObject({ kind: 'malformed', excerpt: 'abcd', error: { code: 'too-large' } });
  expect(third).toMatchObject({ kind: 'message', text: '{"a":2}' });
});

verifies(
  'FRAME-4',
  'the error of an over-long line has the sizes and the option to raise, and nothing of the line',
  () => {
    const [item] = incomingLines([{ kind: 'too-large', bytes: 13, limit: 12, head: 'sec' }]);
    expect(item).toMatchObject({ error: { message: 'a line has 13 bytes, but the limit is 12: raise maxLineBytes' } });
  },
);

describe('flattenIncoming', () => {
  const batches: Incoming[][] = [[incomingMessage('1'), incomingMessage('2')], [], [incomingMessage('3')]];

  test('yields the items one by one', async () => {
    const texts: unknown[] = [];
    for await (const item of flattenIncoming(source())) texts.push('text' in item && item.text);
    expect(texts).toEqual(['1', '2', '3']);
  });

  test('resolves concurrent calls in order, and ends for all of them', async () => {
    const items = flattenIncoming(source());
    const calls = await Promise.all([1, 2, 3, 4, 5].map(() => items.next()));
    expect(calls.map(({ value }) => (value && 'text' in value ? value.text : value))).toEqual([
      '1',
      '2',
      '3',
      undefined,
      undefined,
    ]);
  });

  test('throws an error of the source once', async () => {
    async function* broken() {
      yield [incomingMessage('1')];
      throw new Error('lost');
    }
    const items = flattenIncoming(broken());
    await items.next();
    await expect(items.next()).rejects.toThrow('lost');
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });

  test('closes the source when the loop is left', async () => {
    let left = false;
    for await (const item of flattenIncoming(source(() => (left = true)))) {
      expect([item.kind, left]).toEqual(['message', false]);
      break;
    }
    expect(left).toBe(true);
  });

  async function* source(onLeave: () => void = () => {}): AsyncGenerator<Incoming[]> {
    try {
      yield* batches;
    } finally {
      onLeave();
    }
  }
});
