import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryEventLog } from '../log/memory-event-log.ts';
import { DeliveryMarks } from './delivery-marks.ts';
import { SessionState } from './session-state.ts';

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

const step = fc.oneof(
  fc.record({ what: fc.constant('says' as const) }),
  fc.record({
    what: fc.constant('marks' as const),
    event: fc.nat(2),
    status: fc.constantFrom('received', 'processing', 'processed', 'unknown'),
  }),
  fc.record({ what: fc.constant('has all up to' as const), place: fc.nat(3) }),
);

test('whatever workers mark, a session that is loaded again knows as much', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const log = createMemoryEventLog();
      const state = new SessionState(log, 's');
      for (const [at, one] of steps.entries()) {
        if (one.what === 'marks') await state.markDelivery([{ event_id: `${one.event}`, status: one.status }]);
        else if (one.what === 'has all up to') await state.markDeliveredUpTo(Math.min(one.place, state.last));
        else {
          const payload = JSON.stringify({ type: 'user', uuid: `${state.last}`, at });
          await log.append('s', [{ id: `${state.last}`, type: 'user', source: 'client', payload }]);
          await state.replay(() => {});
        }
      }
      const again = new SessionState(log, 's');
      await again.replay(() => {});
      expect(again.delivery.state).toEqual(state.delivery.state);
    }),
    { numRuns: 500 },
  );
});
