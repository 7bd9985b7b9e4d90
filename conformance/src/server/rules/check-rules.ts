import { levelOfRequirement } from '../../cases/suite.ts';
import type { Failure } from '../../results/result.ts';
import type { Observed } from '../observed.ts';
import { addedUuidRules } from './remote-sessions/added-uuid-rules.ts';
import { answerRules } from './errors/answer-rules.ts';
import { completeRules } from './remote-sessions/complete-rules.ts';
import { credentialRules } from './remote-sessions/credential-rules.ts';
import { formRules } from './remote-sessions/form-rules.ts';
import { leaseRules } from './worker-lease/lease-rules.ts';
import { liveRules } from './remote-sessions/live-rules.ts';
import { logRules } from './resume/log-rules.ts';
import { transcriptRules } from './worker-lease/transcript-rules.ts';
import { newsRules } from './remote-sessions/news-rules.ts';
import { numberRules } from './resume/number-rules.ts';
import { repetitionRules } from './resume/repetition-rules.ts';
import { orderRules } from './resume/order-rules.ts';
import { requestRules } from './remote-sessions/request-rules.ts';
import { sentRules } from './remote-sessions/sent-rules.ts';
import { socketRules } from './websocket/socket-rules.ts';
import { stateRules } from './worker-lease/state-rules.ts';
import { storedRules } from './remote-sessions/stored-rules.ts';
import { streamRules } from './event-streams/stream-rules.ts';

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
  ...numberRules,
  ...repetitionRules,
  ...liveRules,
  ...requestRules,
  ...addedUuidRules,
  ...leaseRules,
  ...stateRules,
  ...transcriptRules,
  ...credentialRules,
];

/** Returns how a server broke the rules in a case, with at most one failure per rule. */
export function checkRules(observed: Observed): Failure[] {
  return serverRules.flatMap(({ name, spec, check }) => {
    const [message] = check(observed);
    return message === undefined ? [] : [{ spec, level: levelOfRequirement(spec), rule: name, message }];
  });
}
