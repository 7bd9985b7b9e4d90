import { findRequirement } from '../../cases/suite.ts';
import type { Failure } from '../../results/result.ts';
import { readSession, type SessionLog } from '../session-log.ts';
import { answerRules } from './answer-rules.ts';
import { callRules } from './call-rules.ts';
import { controlRules } from './control-rules.ts';
import { decisionRules } from './decision-rules.ts';
import { denialRules } from './denial-rules.ts';
import { figureRules } from './figure-rules.ts';
import { flagRules } from './flag-rules.ts';
import { framingRules } from './framing-rules.ts';
import { hookAnswerRules } from './hook-answer-rules.ts';
import { hookCallRules } from './hook-call-rules.ts';
import { initRules } from './init-rules.ts';
import { interruptRules } from './interrupt-rules.ts';
import { lifeRules } from './life-rules.ts';
import { mcpRules } from './mcp-rules.ts';
import { messageRules } from './message-rules.ts';
import { processRules } from './process-rules.ts';
import { promptRules } from './prompt-rules.ts';
import { queueRules } from './queue-rules.ts';
import { raceRules } from './race-rules.ts';
import { referenceRules } from './reference-rules.ts';
import { replyRules } from './reply-rules.ts';
import { requestRules } from './request-rules.ts';
import { type RestartRule, restartRules } from './restart-rules.ts';
import type { Broken, Rule } from './rule.ts';
import { sameRules } from './same-rules.ts';
import { serverCallRules } from './server-call-rules.ts';
import { serverRules } from './server-rules.ts';
import { settingRules } from './setting-rules.ts';
import { streamRules } from './stream-rules.ts';
import { taskRules } from './task-rules.ts';
import { turnRules } from './turn-rules.ts';
import { wholeRules } from './whole-rules.ts';

/** What holds in every session of an agent. */
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
  ...denialRules,
  ...flagRules,
  ...hookAnswerRules,
  ...hookCallRules,
  ...interruptRules,
  ...queueRules,
  ...raceRules,
  ...serverCallRules,
  ...serverRules,
  ...taskRules,
  ...wholeRules,
];

/** The rules that a session breaks, each once. */
export function brokenRules(log: SessionLog): Failure[] {
  const session = readSession(log);
  return rules.flatMap((rule) => failureOf(rule, rule.check(session)));
}

/** The rules that the processes of a case break together, each once for a process. */
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
