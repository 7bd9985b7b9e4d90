import { CaseContext, type CaseLimits } from './case-context.ts';
import { aborting } from './cases/aborting.ts';
import { backPressure } from './cases/back-pressure.ts';
import { closing } from './cases/closing.ts';
import { incoming } from './cases/incoming.ts';
import { malformed } from './cases/malformed.ts';
import { messages } from './cases/messages.ts';
import { opening } from './cases/opening.ts';
import { order } from './cases/order.ts';
import { reconnecting } from './cases/reconnecting.ts';
import { released } from './cases/released.ts';
import { shape } from './cases/shape.ts';
import { signals } from './cases/signals.ts';
import { silence } from './cases/silence.ts';
import type { ContractCase } from './contract-case.ts';
import type { TransportPair, TransportUnderTest } from './transport-under-test.ts';

/** Every case of the transport contract, in the order of the points. */
export const contractCases: readonly ContractCase[] = [
  ...opening,
  ...order,
  ...backPressure,
  ...messages,
  ...signals,
  ...incoming,
  ...malformed,
  ...closing,
  ...aborting,
  ...released,
  ...reconnecting,
  ...silence,
  ...shape,
];

/** Releases everything that the case opened. Rejects with the error of the case. */
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
