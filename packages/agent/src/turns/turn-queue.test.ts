import { verifies } from '@proto/test-support/verifies';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TurnQueue } from './turn-queue.ts';

verifies('TRN-16', 'no turn that is added while the last turn ends is lost, for any interleaving', async () => {
  const step = fc.record({ ticksBefore: fc.nat(4), ticksInTurn: fc.nat(4) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.nat(6), async (steps, ticksBeforeEnd) => {
      const begun: number[] = [];
      let atOnce = 0;
      const queue = new TurnQueue<{ n: number; ticks: number }>({
        async run([item]) {
          if (item === undefined) throw new Error('an empty batch');
          const { n, ticks } = item;
          expect(++atOnce).toBe(1);
          begun.push(n);
          for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
          atOnce--;
        },
      });
      for (const [n, { ticksBefore, ticksInTurn }] of steps.entries()) {
        for (let tick = 0; tick < ticksBefore; tick++) await Promise.resolve();
        queue.add({ n, ticks: ticksInTurn });
      }
      for (let tick = 0; tick < ticksBeforeEnd; tick++) await Promise.resolve();
      // The input may end during the last turn, between two turns or after the last turn.
      await queue.idle();
      expect(begun).toEqual(steps.map((_, n) => n));
      expect(queue.waiting).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

verifies('TRN-16', 'a turn added by the turn that is ending runs before the queue is idle', async () => {
  const begun: string[] = [];
  const queue = new TurnQueue<string>({
    async run([name]) {
      begun.push(String(name));
      if (name === 'first') queue.add('second');
    },
  });
  queue.add('first');
  await queue.idle();
  expect(begun).toEqual(['first', 'second']);
});

test('takeFirst removes the first match, and the rest keeps its order', async () => {
  const begun: string[] = [];
  const queue = new TurnQueue<string>({ run: async ([name]) => void begun.push(String(name)) });
  for (const name of ['runs', 'a1', 'b1', 'a2', 'b2']) queue.add(name);
  expect(queue.takeFirst((name) => name.startsWith('b'))).toBe('b1');
  expect(queue.takeFirst((name) => name.startsWith('c'))).toBeUndefined();
  expect(queue.waiting).toEqual(['a1', 'a2', 'b2']);
  await queue.idle();
  expect(begun).toEqual(['runs', 'a1', 'a2', 'b2']);
});
