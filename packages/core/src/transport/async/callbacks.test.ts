import { getEventListeners } from 'node:events';
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';

import { onAbort } from './callbacks.ts';

verifies('COST-3', 'onAbort adds one listener per signal, and removes it after the last operation', () => {
  const { signal } = new AbortController();
  const leave = Array.from({ length: 100 }, () => onAbort(signal, () => {}));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  for (const done of leave) done();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('an abort reaches each running operation once, in the order in which they started', () => {
  const controller = new AbortController();
  const reached: number[] = [];
  const leave = [1, 2, 3].map((n) => onAbort(controller.signal, () => reached.push(n)));
  leave[1]?.();
  controller.abort();
  controller.abort();
  expect(reached).toEqual([1, 3]);
});

test('an operation may leave within its own abort callback', () => {
  const controller = new AbortController();
  const leave: (() => void)[] = [];
  for (const n of [0, 1]) leave.push(onAbort(controller.signal, () => leave[n]?.()));
  controller.abort();
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
});

test('an abort reaches only the operations under its own signal', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const reached: string[] = [];
  onAbort(first.signal, () => reached.push('first'));
  onAbort(second.signal, () => reached.push('second'));
  second.abort();
  expect(reached).toEqual(['second']);
});
