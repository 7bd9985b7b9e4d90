import { afterEach, expect, test, vi } from 'vitest';
import { withMessageId } from './message-id.ts';

const outgoing = (text: string, id?: string) => ({ text, id, ephemeral: false });

test('a message with an id keeps its text, even if the text has no id', () => {
  expect(withMessageId(outgoing('{"type":"x","uuid":"a"}', 'a'))).toEqual({ text: '{"type":"x","uuid":"a"}', id: 'a' });
});

test('the uuid of a message becomes its id', () => {
  expect(withMessageId(outgoing('{"type":"x","uuid":"a"}'))).toEqual({ text: '{"type":"x","uuid":"a"}', id: 'a' });
});

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['on a secure page', crypto],
  ['on another', { getRandomValues: crypto.getRandomValues.bind(crypto) }],
])('a message without an id gets a new one %s', (_, provided) => {
  vi.stubGlobal('crypto', provided);
  for (const text of ['{"type":"x"}', '{}', '{"uuid":7}']) {
    const first = withMessageId(outgoing(text));
    expect(first.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(withMessageId(outgoing(text)).id).not.toBe(first.id);
  }
  const { text, id } = withMessageId(outgoing('{"type":"x"}'));
  expect(JSON.parse(text)).toEqual({ uuid: id, type: 'x' });
  const wrong = withMessageId(outgoing('{"uuid":7}'));
  expect(JSON.parse(wrong.text)).toEqual({ uuid: wrong.id });
  expect(Object.keys(JSON.parse(withMessageId(outgoing('{}')).text) as object)).toEqual(['uuid']);
});

test('a text that is not an object stays unchanged', () => {
  expect(withMessageId(outgoing('[1,2]'))).toEqual({ text: '[1,2]', id: undefined });
});
