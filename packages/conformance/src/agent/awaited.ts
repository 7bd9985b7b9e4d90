import { shortJson, type Step, StepError, StepFailure } from '@proto/testkit/internal';

import type { Case } from '../cases/case-schema.ts';
import type { Failure } from '../results/result.ts';
import type { AgentProcess } from './agent-process.ts';
import { answeredId, isInit, subtypeOf, timelineOf } from './rules/timeline.ts';
import { member, readSession } from './session-log.ts';

/**
 * The failures of what a step has waited for in vain and every agent owes: the `result` of a turn, and the answer to a request. The failure
 * of the step alone names what its case is about, and not that the turn has no end or the request no answer.
 */
export function awaitedInVain(error: unknown, { steps }: Case, session: AgentProcess | undefined): Failure[] {
  if (!(error instanceof StepError) || !(error.cause instanceof StepFailure)) return [];
  const step = (steps as readonly Step[])[error.step - 1];
  if (session === undefined || session.exit !== undefined || step === undefined) return [];
  const { runs, asked, unanswered } = openParts(session);
  if (step['expect-answer'] !== undefined && unanswered !== undefined) {
    const message = `The request ${shortJson(unanswered)} has no answer in this time.`;
    return [{ spec: 'CTL-3', level: 'must', rule: 'response/in-time', message }];
  }
  if (!awaitsResult(step) || !runs || asked > 0) return [];
  const message = 'A turn has begun, and has no result in this time, although the agent waits for no answer.';
  return [{ spec: 'TRN-10', level: 'must', rule: 'turn/ends', message }];
}

function awaitsResult(step: Step): boolean {
  return [step['expect'], step['until']].some((pattern) => member(pattern, 'type') === 'result');
}

/** Whether a turn runs, how many requests of the agent have no answer, and the newest request of the suite without an answer. */
function openParts(session: AgentProcess) {
  let runs = false;
  const asked = new Set<unknown>();
  const requested = new Set<unknown>();
  for (const { message, isOurs } of timelineOf(readSession(session))) {
    const { type, request_id: id } = message;
    if (type === 'control_response') (isOurs ? asked : requested).delete(answeredId(message));
    else if (type === 'control_cancel_request') (isOurs ? requested : asked).delete(id);
    else if (subtypeOf(message) !== undefined) (isOurs ? requested : asked).add(id);
    else if (!isOurs && isInit(message)) runs = true;
    else if (!isOurs && type === 'result') runs = false;
  }
  return { runs, asked: asked.size, unanswered: [...requested].at(-1) };
}
