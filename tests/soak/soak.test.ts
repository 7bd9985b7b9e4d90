import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { MessageCheck } from './message-check.ts';
import { WAYS } from './remote-pair.ts';
import { runSoak } from './run-soak.ts';
import { failuresOf } from './soak-verdict.ts';

for (const way of WAYS) {
  // `pnpm soak` does the same with a million messages.
  verifies(
    'COST-2',
    `messages and requests over links that are cut leave nothing on the heap, each arrives once and in order, and each request is answered: ${way}`,
    async () => {
      const report = await runSoak({ way, messages: 3000, cuts: 4, seed: 1 });
      expect(failuresOf(report)).toEqual([]);
      expect(report).toMatchObject({ lost: 0, doubled: 0, outOfOrder: 0, requests: 300 });
      expect(report.linksLost).toBeGreaterThan(0);
    },
    { timeout: 120_000 },
  );
}

test('lost, duplicate and reordered messages are counted separately', () => {
  const check = new MessageCheck();
  for (const number of [1, 2, 2, 5, 3, 7]) check.take(number);
  expect(check.outcome(9)).toEqual({ lost: 4, doubled: 1, outOfOrder: 1 });
});
