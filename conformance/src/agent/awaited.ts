import { isObject, shortJson, type Step, StepError, StepFailure } from '@proto/testkit/steps';

import type { Case } from '../cases/case-schema.ts';
import type { Failure } from '../results/result.ts';
import type { AgentProcess } from './agent-process.ts';
import { type Obligations, obligationsOf } from './obligations.ts';
import { member } from './session-log.ts';

/**
 * Finds further broken requirements if the message that a step waited for did not arrive: a prompt without a turn, a turn without a `result`, a
 * request without an answer, or a process that does not exit. The step's own failure names only the requirement of its case.
 */
export function awaitedInVain(error: unknown, { steps }: Case, session: AgentProcess | undefined): Failure[] {
  if (!(error instanceof StepError) || !(error.cause instanceof StepFailure)) return [];
  const all = steps as readonly Step[];
  const step = all[error.step - 1];
  if (session === undefined || session.exit !== undefined || step === undefined) return [];
  // If a message must not arrive, or must not arrive next, the step did not wait for it.
  if (step['next'] === true || (isObject(error.cause.expected) && 'none' in error.cause.expected)) return [];
  const owes = obligationsOf(session);
  if (step['expect-exit'] !== undefined) {
    const isTerminated = all.slice(0, error.step).some((each) => each['signal'] === 'SIGTERM');
    return isTerminated
      ? [owed('CLI-31', 'process/term', 'The agent did not exit after SIGTERM.')]
      : stuckAtTheEnd(owes);
  }
  if (step['expect-answer'] !== undefined) return withoutAnswer(owes);
  if (step['await'] === 'idle') return [...withoutAnswer(owes), ...withoutEnd(owes)];
  if (!awaitsTurn(step)) return [];
  if (owes.runs) return awaitsResult(step) ? withoutResult(owes) : [];
  return owes.questions.size > 0 ? [] : withoutTurn(owes);
}

function owed(spec: string, rule: string, message: string): Failure {
  return { spec, level: 'must', rule, message };
}

function awaitsResult(step: Step): boolean {
  return [step['expect'], step['until']].some((pattern) => member(pattern, 'type') === 'result');
}

function awaitsTurn(step: Step): boolean {
  return [step['expect'], step['until']].some(
    (pattern) =>
      ['result', 'assistant', 'stream_event'].includes(String(member(pattern, 'type'))) ||
      member(pattern, 'subtype') === 'init' ||
      ['can_use_tool', 'hook_callback'].includes(String(member(pattern, 'request', 'subtype'))),
  );
}

function stuckAtTheEnd({ runs, questions, inputEnded }: Obligations): Failure[] {
  if (!inputEnded) return [];
  if (!runs)
    return [
      owed('CLI-22', 'process/exits', 'The input has ended and no turn is running, but the agent has not exited.'),
    ];
  return questions.size > 0
    ? [owed('CLI-25', 'process/waits', 'The input has ended, but the agent still waits for an answer to its request.')]
    : [
        owed(
          'CLI-20',
          'process/turn-ends',
          'The input has ended, and the running turn has not produced a result within the time limit.',
        ),
      ];
}

function withoutAnswer({ requests, runs, questions }: Obligations): Failure[] {
  const [unanswered, request] = [...requests].at(-1) ?? [];
  if (request === undefined) return [];
  const isBusy = runs && request.isBusy;
  const isAsked = questions.size > 0 && request.isAsked;
  const message = `The request ${shortJson(unanswered)} was not answered within the time limit`;
  return [
    owed('CTL-3', 'response/in-time', `${message}.`),
    ...(isBusy ? [owed('CTL-13', 'response/while-a-turn-runs', `${message}, and a turn is running.`)] : []),
    ...(isAsked ? [owed('CTL-14', 'response/while-asked', `${message}, and a request of the agent is open.`)] : []),
  ];
}

/** Returns what is broken if the agent does not become idle: its turn, or the turn of a waiting prompt, does not end. */
function withoutEnd(owes: Obligations): Failure[] {
  if (owes.runs) return withoutResult(owes);
  return owes.questions.size > 0 ? [] : withoutTurn(owes);
}

function withoutResult({ questions, inputEnded }: Obligations): Failure[] {
  if (questions.size > 0) {
    const message = 'The input has ended, but the agent still waits for an answer to its request.';
    return inputEnded ? [owed('CLI-25', 'process/waits', message)] : [];
  }
  const message =
    'A turn has begun, but has not produced a result within the time limit, although the agent is not waiting for an answer.';
  return [owed('TRN-10', 'turn/ends', message)];
}

/** The broken requirement depends on what happened before the prompt. */
function withoutTurn({ waiting, inputEnded, lastTurn: after }: Obligations): Failure[] {
  const [prompt] = waiting.values();
  if (prompt === undefined) return [];
  const message = `The prompt ${shortJson(prompt.uuid)} did not start a turn within the time limit, and no turn is running.`;
  if (inputEnded) return [owed('CLI-21', 'process/prompts-run', message)];
  if (prompt.whileBusy)
    return [
      owed('TRN-16', 'prompt/taken', message),
      ...(after?.isInterrupted === true ? [owed('INT-15', 'interrupt/queue-goes-on', message)] : []),
    ];
  if (after === undefined) return [];
  if (after.isInterrupted) return [owed('INT-10', 'interrupt/next-prompt', message)];
  return [owed(after.isError ? 'TRN-14' : 'TRN-13', 'turn/next-prompt', message)];
}
