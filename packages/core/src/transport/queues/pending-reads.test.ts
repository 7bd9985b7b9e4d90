import { expect, test } from 'vitest';

import { PendingReads } from './pending-reads.ts';

test('a value goes to the oldest pending read', async () => {
  const readers = new PendingReads<number>();
  expect(readers.deliver(0)).toBe(false);
  const waiting = [readers.wait(), readers.wait()];
  expect([readers.deliver(1), readers.deliver(2), readers.deliver(3)]).toEqual([true, true, false]);
  expect((await Promise.all(waiting)).map(({ value }) => value)).toEqual([1, 2]);
});

test('the end settles pending and later reads, and only the first end counts', async () => {
  const readers = new PendingReads<number>();
  const waiting = readers.wait();
  readers.end();
  readers.end({ reason: 'too late' });
  expect([await waiting, await readers.wait(), readers.ended]).toEqual([
    { done: true, value: undefined },
    { done: true, value: undefined },
    true,
  ]);
});

test('a failure rejects all reads until it is cleared, whatever its reason', async () => {
  const readers = new PendingReads<number>();
  const waiting = readers.wait();
  readers.end({ reason: undefined });
  await expect(waiting).rejects.toBeUndefined();
  await expect(readers.wait()).rejects.toBeUndefined();
  readers.clearError();
  expect(await readers.wait()).toEqual({ done: true, value: undefined });
});
