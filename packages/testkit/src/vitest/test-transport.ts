import { afterAll, describe, test } from 'vitest';
import { DEFAULT_CASE_LIMITS } from './case-context.ts';
import { whyNot } from './contract-case.ts';
import { contractCases } from './contract-cases.ts';
import { runCase } from './run-case.ts';
import { type CaseOutcome, summarize } from './summary.ts';
import type { TransportPair, TransportUnderTest } from './transport-under-test.ts';

// Several waits of one case may each take as long as the patience; the case itself says better what it waited for.
const TIMEOUT_MS = 6 * DEFAULT_CASE_LIMITS.patienceMs;

/**
 * Registers the transport contract as one vitest suite: a test for each case, its name beginning with the number of its point.
 * Cases that what is given makes inapplicable are skipped, and one line at the end says which points ran.
 */
export function testTransport<Pair extends TransportPair>(under: TransportUnderTest<Pair>): void {
  describe(`transport contract: ${under.name}`, () => {
    const outcomes: CaseOutcome[] = [];
    for (const contractCase of contractCases) {
      const { point, title } = contractCase;
      const skipped = whyNot(contractCase, under);
      test(`${point} ${title}`, { timeout: TIMEOUT_MS }, async ({ skip }) => {
        outcomes.push(skipped === undefined ? { point } : { point, skipped });
        if (skipped !== undefined) skip(skipped);
        await runCase(contractCase, under, DEFAULT_CASE_LIMITS);
      });
    }
    afterAll(() => console.log(summarize(under.name, outcomes)));
  });
}
