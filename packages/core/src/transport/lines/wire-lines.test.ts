import { expect, test } from 'vitest';
import { KEEP_ALIVE_LINE, uuidOf } from './wire-lines.ts';

test('a keep-alive line is a message of a type that peers skip', () => {
  expect(KEEP_ALIVE_LINE).toBe('{"type":"keep_alive"}\n');
});

test.each<[text: string, uuid: string | undefined]>([
  ['{"type":"user","uuid":"u1"}', 'u1'],
  ['{"type":7,"uuid":8}', undefined],
  ['[1]', undefined],
  ['null', undefined],
  ['no json', undefined],
])('a uuid is read only if it is a text: %s', (text, uuid) => {
  expect(uuidOf(text)).toBe(uuid);
});
