import { CaseContext, type CaseLimits } from './case-context.ts';
import type { ContractCase } from './contract-case.ts';
import type { TransportPair, TransportUnderTest } from './transport-under-test.ts';

/** Runs one case on a fresh transport, and releases all that it opened, whatever happens. */
export async function runCase<Pair extends TransportPair>(
  { run }: ContractCase,
  under: TransportUnderTest<Pair>,
  limits: CaseLimits,
): Promise<void> {
  const context = new CaseContext(under, limits);
  try {
    await run(context);
  } finally {
    await context.release();
  }
}
