import { expect, test } from 'vitest';
import { tapFileOf } from './taps.ts';

test('each of several hosts gets a tap file with its number', () => {
  expect(['wire.jsonl', 'wire', '/a/b.c/wire.x.jsonl'].map((path) => tapFileOf(path, 2))).toEqual([
    'wire.2.jsonl',
    'wire.2',
    '/a/b.c/wire.x.2.jsonl',
  ]);
});
