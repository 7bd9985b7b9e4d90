import { getEventListeners } from 'node:events';
import { verifies } from '@proto/requirements';
import { expect, test } from 'vitest';

import { AbortListeners } from './abort-listeners.ts';

verifies('R-27.2', 'one listener for all operations under a signal, none when they are over', () => {
  const { signal } = new AbortController();
  const listeners = new AbortListeners();
  const leave = Array.from({ length: 100 }, () => listeners.add(signal, () => {}));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  for (const done of leave) done();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('an abort reaches each operation that is not over, once, in the order they began', () => {
  const controller = new AbortController();
  const listeners = new AbortListeners();
  const reached: number[] = [];
  const leave = [1, 2, 3].map((n) => listeners.add(controller.signal, () => reached.push(n)));
  leave[1]?.();
  controller.abort();
  controller.abort();
  expect(reached).toEqual([1, 3]);
});

test('an operation may leave from within its own abort', () => {
  const controller = new AbortController();
  const listeners = new AbortListeners();
  const leave: (() => void)[] = [];
  for (const n of [0, 1]) leave.push(listeners.add(controller.signal, () => leave[n]?.()));
  controller.abort();
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
});

test('signals are told apart', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const listeners = new AbortListeners();
  const reached: string[] = [];
  listeners.add(first.signal, () => reached.push('first'));
  listeners.add(second.signal, () => reached.push('second'));
  second.abort();
  expect(reached).toEqual(['second']);
});
