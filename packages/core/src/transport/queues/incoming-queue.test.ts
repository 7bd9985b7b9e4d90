import { expect, test, vi } from 'vitest';

import { IncomingQueue } from './incoming-queue.ts';
import { received } from '../scripted-driver.test-support.ts';

function queueOf(maxBytes = 1000) {
  const calls = { onPause: vi.fn(), onResume: vi.fn(), onReturn: vi.fn() };
  return { queue: new IncomingQueue(undefined, calls, maxBytes), ...calls };
}

test('a pending read gets the items as they arrive, without queueing', async () => {
  const { queue } = queueOf();
  const next = queue.next();
  const items = [received(1), received(2)];
  queue.push(items);
  expect((await next).value).toBe(items);
});

test('several pending reads are resolved in call order', async () => {
  const { queue } = queueOf();
  const waiting = [queue.next(), queue.next(), queue.next()];
  queue.push([received(1)]);
  queue.push([received(2)]);
  queue.end();
  const texts = (await Promise.all(waiting)).map(({ value }) => value?.map((item) => 'text' in item && item.text));
  expect(texts).toEqual([['{"type":"n","n":1}'], ['{"type":"n","n":2}'], undefined]);
});

test('an empty push resolves no read', async () => {
  const { queue } = queueOf();
  const next = queue.next();
  queue.push([]);
  queue.push([received(1)]);
  expect((await next).value).toHaveLength(1);
});

test('the error is thrown once, to the pending read', async () => {
  const { queue } = queueOf();
  const next = queue.next();
  const error = new Error('gone');
  queue.end(error);
  queue.end();
  await expect(next).rejects.toBe(error);
  expect(await queue.next()).toEqual({ done: true, value: undefined });
});

test('a read that nobody awaits causes no unhandled rejection', async () => {
  const { queue } = queueOf();
  void queue.next();
  queue.end(new Error('gone'));
  await new Promise((resolve) => setImmediate(resolve));
});

test('items after the end are dropped', async () => {
  const { queue } = queueOf();
  queue.end();
  queue.push([received(1)]);
  expect(await queue.next()).toEqual({ done: true, value: undefined });
});

test('a second iteration throws TypeError', () => {
  const { queue } = queueOf();
  queue[Symbol.asyncIterator]();
  expect(() => queue[Symbol.asyncIterator]()).toThrow(TypeError);
});

test('items that were read do not count against the limit', async () => {
  const { queue, onPause } = queueOf(150);
  for (let n = 0; n < 5; n++) {
    queue.push([received(n)]);
    await queue.next();
  }
  expect(onPause).not.toHaveBeenCalled();
});

test('the queue pauses once above the limit, resumes once when it is empty, and can pause again', async () => {
  const { queue, onPause, onResume } = queueOf(150);
  queue.push([received(1)]);
  expect(queue.paused).toBe(false);
  queue.push([received(2), received(3)]);
  queue.push([received(4)]);
  expect(queue.paused).toBe(true);
  expect((await queue.next()).value).toHaveLength(4);
  expect([onPause.mock.calls.length, onResume.mock.calls.length]).toEqual([1, 1]);
  queue.push([received(5), received(6)]);
  expect(onPause).toHaveBeenCalledTimes(2);
});

test('a notice counts by the size of its data', () => {
  const { queue, onPause } = queueOf(1000);
  queue.push([{ kind: 'notice', event: 'small', data: undefined }]);
  expect(onPause).not.toHaveBeenCalled();
  queue.push([{ kind: 'notice', event: 'big', data: { text: 'x'.repeat(1000) } }]);
  expect(onPause).toHaveBeenCalledTimes(1);
  const { queue: other, onPause: paused } = queueOf(1000);
  // A notice of a foreign transport whose data has no JSON text counts as a small item.
  other.push([{ kind: 'notice', event: 'odd', data: 1n }]);
  expect(paused).not.toHaveBeenCalled();
});

test('a resume that pushes more items at once keeps the order', async () => {
  const onResume = () => queue.push([received(2)]);
  const queue = new IncomingQueue(undefined, { onPause() {}, onResume, onReturn() {} }, 10);
  queue.push([received(1)]);
  expect((await queue.next()).value).toMatchObject([{ text: '{"type":"n","n":1}' }]);
  queue.end();
  expect((await queue.next()).value).toMatchObject([{ text: '{"type":"n","n":2}' }]);
});

test('return calls onReturn once, and settles pending reads', async () => {
  const { queue, onReturn } = queueOf();
  const next = queue.next();
  await queue.return();
  await queue.return();
  expect(await next).toEqual({ done: true, value: undefined });
  expect(onReturn).toHaveBeenCalledTimes(1);
});

test('return after the error was thrown does not call onReturn', async () => {
  const { queue, onReturn } = queueOf();
  queue.end(new Error('gone'));
  await expect(queue.next()).rejects.toThrow('gone');
  await queue.return();
  expect(onReturn).not.toHaveBeenCalled();
});

test('a burst is read in order, in several batches, and the driver resumes below the limit', async () => {
  const { queue, onPause, onResume } = queueOf(400_000);
  const items = Array.from({ length: 10_000 }, (_, index) => received(index));
  queue.push(items.slice(0, 7000));
  queue.push(items.slice(7000));
  expect([onPause.mock.calls.length, onResume.mock.calls.length]).toEqual([1, 0]);
  queue.end();
  const batches: unknown[][] = [];
  for await (const batch of queue) batches.push([...batch]);
  expect(batches.flat()).toEqual(items);
  expect(batches.length).toBeGreaterThan(1);
  expect(onResume).toHaveBeenCalledTimes(1);
});

test('few waiting items are read together, and many as they arrived', async () => {
  const { queue } = queueOf();
  const many = Array.from({ length: 100 }, (_, index) => received(index));
  for (const items of [[received(1)], [received(2), received(3)], many, [received(4)]]) queue.push(items);
  queue.end();
  const batches: (readonly unknown[])[] = [];
  for await (const batch of queue) batches.push(batch);
  expect(batches).toEqual([[received(1), received(2), received(3)], many, [received(4)]]);
});

test('the driver is not resumed above the limit', async () => {
  const { queue, onResume } = queueOf(400_000);
  for (let part = 0; part < 2; part++) queue.push(Array.from({ length: 5000 }, (_, index) => received(index)));
  await queue.next();
  expect(onResume).not.toHaveBeenCalled();
  await queue.next();
  expect(onResume).toHaveBeenCalledTimes(1);
});
