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

verifies(
  ['TRN-17', 'TRN-47'],
  'items of each kind run in the order in which they were added, whatever is added, taken and removed',
  async () => {
    const KINDS = ['addUrgent', 'add', 'addLater'] as const;
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...KINDS) },
      fc.constantFrom('takeFirst' as const, 'remove' as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.nat(), async (steps, pick) => {
        const begun: string[] = [];
        const queue = new TurnQueue<string>({ run: async ([name]) => void begun.push(String(name)) });
        queue.add('runs');
        let expected: string[] = [];
        for (const [n, kind] of steps.entries()) {
          if (kind === 'takeFirst') expect(queue.takeFirst(() => true)).toBe(expected.shift());
          else if (kind === 'remove') {
            const gone = expected[pick % Math.max(1, expected.length)];
            queue.remove((name) => name === gone);
            expected = expected.filter((name) => name !== gone);
          } else {
            const name = `${KINDS.indexOf(kind)} ${n}`;
            queue[kind](name);
            expected = [...expected, name].toSorted((a, b) => Number(a[0]) - Number(b[0]));
          }
          expect(queue.waiting).toEqual(expected);
        }
        await queue.idle();
        expect(begun).toEqual(['runs', ...expected]);
      }),
      { numRuns: 500 },
    );
  },
);
