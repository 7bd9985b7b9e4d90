import { expect, test } from 'vitest';

import { Readers } from './readers.ts';

test('a value goes to the reader that waits longest', async () => {
  const readers = new Readers<number>();
  expect(readers.hand(0)).toBe(false);
  const waiting = [readers.wait(), readers.wait()];
  expect([readers.hand(1), readers.hand(2), readers.hand(3)]).toEqual([true, true, false]);
  expect((await Promise.all(waiting)).map(({ value }) => value)).toEqual([1, 2]);
});

test('the end settles who waits and who comes later; the first end counts', async () => {
  const readers = new Readers<number>();
  const waiting = readers.wait();
  readers.end();
  readers.end({ reason: 'too late' });
  expect([await waiting, await readers.wait(), readers.ended]).toEqual([
    { done: true, value: undefined },
    { done: true, value: undefined },
    true,
  ]);
});

test('a failure is given to everybody until it is forgiven, whatever its reason', async () => {
  const readers = new Readers<number>();
  const waiting = readers.wait();
  readers.end({ reason: undefined });
  await expect(waiting).rejects.toBeUndefined();
  await expect(readers.wait()).rejects.toBeUndefined();
  readers.forgive();
  expect(await readers.wait()).toEqual({ done: true, value: undefined });
});
