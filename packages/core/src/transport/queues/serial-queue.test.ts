import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';

import { deferred, never, stateOf } from '../scripted-driver.test-support.ts';
import { SerialQueue } from './serial-queue.ts';

function started(): SerialQueue {
  const queue = new SerialQueue();
  queue.start();
  return queue;
}

test('no operation runs before the start', async () => {
  const queue = new SerialQueue();
  const ran: number[] = [];
  const tasks = [1, 2].map((n) => queue.add(() => void ran.push(n)));
  await stateOf(never);
  expect(ran).toEqual([]);
  queue.start();
  await Promise.all(tasks);
  expect(ran).toEqual([1, 2]);
});

test('a synchronous operation runs within the call', () => {
  const queue = started();
  let ran = false;
  void queue.add(() => void (ran = true));
  expect(ran).toBe(true);
});

test('an operation that is added by a running operation runs after it', async () => {
  const queue = started();
  const ran: string[] = [];
  let inner: Promise<void> | undefined;
  await queue.add(() => {
    inner = queue.add(() => void ran.push('inner'));
    ran.push('outer');
  });
  await inner;
  expect(ran).toEqual(['outer', 'inner']);
});

test('an error becomes a TransportError for the caller of that operation only', async () => {
  const queue = started();
  const thrown = queue.add(() => {
    throw new Error('thrown');
  });
  const rejected = queue.add(() => Promise.reject('rejected'));
  const fine = queue.add(() => {});
  await expect(thrown).rejects.toMatchObject({ name: 'TransportError', message: 'thrown' });
  await expect(rejected).rejects.toMatchObject({ name: 'TransportError', cause: 'rejected' });
  await fine;
});

test('fail rejects running, waiting and later operations, and a running operation may still settle in any way', async () => {
  const queue = started();
  const running = deferred();
  const tasks = [queue.add(() => running.promise), queue.add(() => {})];
  const error = new Error('over');
  queue.fail(error);
  queue.fail(new Error('again'));
  for (const task of [...tasks, queue.add(() => {})]) await expect(task).rejects.toBe(error);
  running.reject(new Error('late'));
  await stateOf(never);
});

test('an operation that is aborted while it waits never starts, and the queue waits for one that has started', async () => {
  const queue = started();
  const controller = new AbortController();
  const running = deferred();
  const ran: string[] = [];
  const first = queue.add(() => running.promise, controller.signal);
  const second = queue.add(() => void ran.push('second'), controller.signal);
  const third = queue.add(() => void ran.push('third'));
  controller.abort('why');
  await expect(first).rejects.toBe('why');
  await expect(second).rejects.toBe('why');
  expect(await stateOf(third)).toBe('pending');
  running.resolve();
  await third;
  expect(ran).toEqual(['third']);
});

test.each([
  ['ran', (queue: SerialQueue) => queue.start()],
  ['failed with the queue', (queue: SerialQueue) => queue.fail(new Error('over'))],
])('the listener on a signal is removed when its operation %s', async (_how, settle) => {
  const queue = new SerialQueue();
  const { signal } = new AbortController();
  const tasks = [1, 2].map(() => queue.add(() => {}, signal));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  settle(queue);
  await Promise.allSettled(tasks);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('a hundred thousand waiting operations run in linear time', async () => {
  const queue = new SerialQueue();
  let ran = 0;
  const tasks = Array.from({ length: 100_000 }, () => queue.add(() => void ran++));
  queue.start();
  await Promise.all(tasks);
  expect(ran).toBe(100_000);
});
