import { afterAll, describe, test } from 'vitest';
import { DEFAULT_CASE_LIMITS } from './case-context.ts';
import { whyNot } from './contract-case.ts';
import { contractCases, runCase } from './contract-cases.ts';
import type { TransportPair, TransportUnderTest } from './transport-under-test.ts';

// Each wait in a case may take the whole `patienceMs`, so the test's timeout is longer: the error of a wait is more informative than the test's timeout.
const TIMEOUT_MS = 6 * DEFAULT_CASE_LIMITS.patienceMs;

/**
 * Registers the transport contract as one vitest suite, with a test for each case. The name of a test begins with the number of its point. Cases that
 * do not apply to the transport are skipped. At the end, one line lists the points that ran, and the reasons why other points did not run.
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

interface CaseOutcome {
  readonly point: number;
  readonly skipped?: string;
}

/**
 * Returns one line that lists the points of the contract that ran, completely or partly, and the reasons why other points did not run.
 * @internal
 */
export function summarize(name: string, outcomes: readonly CaseOutcome[]): string {
  const points = [...new Set(outcomes.map(({ point }) => point))].sort((a, b) => a - b);
  const run: string[] = [];
  const inPart: string[] = [];
  const skipped: string[] = [];
  for (const point of points) {
    const cases = outcomes.filter((outcome) => outcome.point === point);
    const reasons = new Set(cases.flatMap((outcome) => outcome.skipped ?? []));
    const why = `${point} (${[...reasons].join('; ')})`;
    if (cases.every((outcome) => outcome.skipped !== undefined)) {
      skipped.push(why);
      continue;
    }
    run.push(String(point));
    if (reasons.size > 0) inPart.push(why);
  }
  const parts = [`contract points that ran: ${run.join(' ') || 'none'}`];
  if (inPart.length > 0) parts.push(`ran only partly: ${inPart.join(', ')}`);
  if (skipped.length > 0) parts.push(`skipped: ${skipped.join(', ')}`);
  return `${name}: ${parts.join('; ')}`;
}
