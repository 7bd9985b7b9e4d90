import type { Level } from '../../cases/case-schema.ts';
import { findRequirement } from '../../cases/suite.ts';
import type { Failure } from '../../results/result.ts';
import type { Observed } from '../observed.ts';
import { answerRules } from './answer-rules.ts';
import { completeRules } from './complete-rules.ts';
import { credentialRules } from './credential-rules.ts';
import { formRules } from './form-rules.ts';
import { leaseRules } from './lease-rules.ts';
import { liveRules } from './live-rules.ts';
import { logRules } from './log-rules.ts';
import { newsRules } from './news-rules.ts';
import { orderRules } from './order-rules.ts';
import { requestRules } from './request-rules.ts';
import { sentRules } from './sent-rules.ts';
import { socketRules } from './socket-rules.ts';
import { stateRules } from './state-rules.ts';
import { storedRules } from './stored-rules.ts';
import { streamRules } from './stream-rules.ts';

/** The rules that hold in every session of a server. */
export const serverRules = [
  ...streamRules,
  ...newsRules,
  ...logRules,
  ...completeRules,
  ...sentRules,
  ...storedRules,
  ...answerRules,
  ...formRules,
  ...socketRules,
  ...orderRules,
  ...liveRules,
  ...requestRules,
  ...leaseRules,
  ...stateRules,
  ...credentialRules,
];

/** What a server has done in a case that no rule allows: at most one failure for each rule. */
export function checkRules(observed: Observed): Failure[] {
  return serverRules.flatMap(({ name, spec, check }) => {
    const [message] = check(observed);
    return message === undefined ? [] : [{ spec, level: levelOfRequirement(spec), rule: name, message }];
  });
}

/** What a failure of a requirement means. */
function levelOfRequirement(id: string): Level {
  const level = findRequirement(id)?.level ?? 'MUST';
  if (level.startsWith('MUST')) return 'must';
  return level.startsWith('SHOULD') ? 'should' : 'may';
}
