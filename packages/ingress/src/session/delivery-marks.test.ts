import { expect, test } from 'vitest';
import { DeliveryMarks } from './delivery-marks.ts';

test('of the events that wait for a worker without marks, the newest are known', () => {
  const marks = new DeliveryMarks();
  for (let n = 1; n <= 20_000; n++) marks.add(`id-${n}`, n);
  expect(marks.state).toHaveLength(10_000);
  expect([marks.isWaiting('id-10000'), marks.isWaiting('id-10001'), marks.isWaiting('id-20000')]).toEqual([
    false,
    true,
    true,
  ]);
});
