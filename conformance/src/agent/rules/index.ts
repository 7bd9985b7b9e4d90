import { findRequirement } from '../../cases/suite.ts';
import type { Failure } from '../../results/result.ts';
import { readSession, type SessionLog } from '../session-log.ts';
import { answerRules } from './control/answer-rules.ts';
import { callRules } from './permissions/call-rules.ts';
import { controlRules } from './control/control-rules.ts';
import { decisionRules } from './permissions/decision-rules.ts';
import { denialRules } from './permissions/denial-rules.ts';
import { figureRules } from './messages/figure-rules.ts';
import { flagRules } from './command-line/flag-rules.ts';
import { framingRules } from './framing/framing-rules.ts';
import { hookAnswerRules } from './hooks/hook-answer-rules.ts';
import { hookCallRules } from './hooks/hook-call-rules.ts';
import { hookTimesRules } from './hooks/hook-times-rules.ts';
import { initRules } from './turns/init-rules.ts';
import { interruptRules } from './interrupts/interrupt-rules.ts';
import { lifeRules } from './turns/life-rules.ts';
import { mcpRules } from './mcp/mcp-rules.ts';
import { messageRules } from './messages/message-rules.ts';
import { processRules } from './command-line/process-rules.ts';
import { promptRules } from './turns/prompt-rules.ts';
import { queueRules } from './interrupts/queue-rules.ts';
import { removalRules } from './interrupts/removal-rules.ts';
import { raceRules } from './hooks/race-rules.ts';
import { referenceRules } from './turns/reference-rules.ts';
import { replyRules } from './messages/reply-rules.ts';
import { requestRules } from './control/request-rules.ts';
import { type RestartRule, restartRules } from './turns/restart-rules.ts';
import type { Broken, Rule } from './rule.ts';
import { sameRules } from './permissions/same-rules.ts';
import { questionRules } from './mcp/question-rules.ts';
import { serverCallRules } from './mcp/server-call-rules.ts';
import { serverRules } from './mcp/server-rules.ts';
import { settingRules } from './permissions/setting-rules.ts';
import { streamRules } from './messages/stream-rules.ts';
import { taskRules } from './interrupts/task-rules.ts';
import { turnRules } from './turns/turn-rules.ts';
import { updateRules } from './permissions/update-rules.ts';
import { wholeRules } from './messages/whole-rules.ts';

export const rules: readonly Rule[] = [
  ...framingRules,
  ...messageRules,
  ...controlRules,
  ...turnRules,
  ...promptRules,
  ...processRules,
  ...referenceRules,
  ...streamRules,
  ...settingRules,
  ...callRules,
  ...lifeRules,
  ...mcpRules,
  ...figureRules,
  ...replyRules,
  ...initRules,
  ...sameRules,
  ...answerRules,
  ...requestRules,
  ...decisionRules,
  ...updateRules,
  ...denialRules,
  ...flagRules,
  ...hookAnswerRules,
  ...hookCallRules,
  ...hookTimesRules,
  ...interruptRules,
  ...queueRules,
  ...removalRules,
  ...raceRules,
  ...questionRules,
  ...serverCallRules,
  ...serverRules,
  ...taskRules,
  ...wholeRules,
];

/** Returns the rules that a session breaks, each once. */
export function brokenRules(log: SessionLog): Failure[] {
  const session = readSession(log);
  return rules.flatMap((rule) => failureOf(rule, rule.check(session)));
}

/** Returns the rules that the processes of a case break together, each once per process. */
export function brokenBetween(logs: readonly SessionLog[]): Failure[] {
  const sessions = logs.map(readSession);
  return sessions.flatMap((session, at) =>
    restartRules.flatMap((rule) => failureOf(rule, rule.check(session, sessions.slice(0, at)))),
  );
}

function failureOf({ name, spec }: Rule | RestartRule, broken: Broken | undefined): Failure[] {
  if (broken === undefined) return [];
  const level = findRequirement(spec)?.level.startsWith('MUST') === true ? 'must' : 'should';
  return [{ spec, level, rule: name, ...broken }];
}
