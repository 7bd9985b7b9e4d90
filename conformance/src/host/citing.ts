import type { StepError, StepFailure } from '@proto/testkit/steps';

import type { Case, Level } from '../cases/case-schema.ts';
import { citedBy } from '../cases/cited.ts';
import { levelOfRequirement } from '../cases/suite.ts';
import type { Failure } from '../results/result.ts';
import type { HostSession } from './host-session.ts';
import { blamedRequirement } from './random/blame.ts';
import { OwedFailure } from './random/owed.ts';

type Cited = Pick<Failure, 'spec' | 'level'>;

export function citing(spec: string, level: Level = levelOfRequirement(spec)): Cited {
  return { spec, level };
}

/** Whether a case does not test a single requirement, so that the requirement depends on what the agent has written last. */
function isGenerated({ steps }: Case): boolean {
  return steps.some((step) => step['await'] === 'settled');
}

/** The requirement that is broken if the session ends in the wrong way. */
export function citedAtTheEnd(entry: Case, session: Pick<HostSession, 'written'>): Cited {
  const {
    spec: [main = ''],
    level,
  } = entry;
  return isGenerated(entry) ? citing(blamedRequirement(session)) : citing(main, level);
}

/** The failure of a step. It is not stronger than the requirement to read the last lines of the agent, after which the host may have stopped. */
export function failureOf(entry: Case, error: StepError, session: Pick<HostSession, 'written'>): Failure {
  const { step, message, cause } = error;
  const { expected, got } = cause as Partial<StepFailure>;
  const cited = cause instanceof OwedFailure ? owedOf(cause) : citedBy(error, entry);
  const reading = citing(blamedRequirement(session));
  return {
    ...cited,
    ...(isGenerated(entry) && reading.level !== 'must' && cited.level === 'must' ? reading : {}),
    step,
    message,
    ...(expected !== undefined && { expected }),
    ...(got !== undefined && { got }),
  };
}

function owedOf({ spec, rule }: OwedFailure): Pick<Failure, 'spec' | 'level' | 'rule'> {
  return { ...citing(spec), ...(rule !== undefined && { rule }) };
}
