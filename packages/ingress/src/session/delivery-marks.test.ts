import { expect, test } from 'vitest';
import { DeliveryMarks } from './delivery-marks.ts';

test('without marks of the worker, the newest 10 000 waiting events are remembered', () => {
  const marks = new DeliveryMarks();
  for (let n = 1; n <= 20_000; n++) marks.add(`id-${n}`, n);
  expect(marks.state).toHaveLength(10_000);
  expect([marks.isWaiting('id-10000'), marks.isWaiting('id-10001'), marks.isWaiting('id-20000')]).toEqual([
    false,
    true,
    true,
  ]);
});
