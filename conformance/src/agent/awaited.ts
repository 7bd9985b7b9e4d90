import { isObject, shortJson, type Step, StepError, StepFailure } from '@proto/testkit/steps';

import type { Case } from '../cases/case-schema.ts';
import type { Failure } from '../results/result.ts';
import type { AgentProcess } from './agent-process.ts';
import { answeredId, isInit, subtypeOf, timelineOf } from './rules/timeline.ts';
import { listOf, member, type Message, readSession } from './session-log.ts';

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
  const parts = openParts(session);
  if (step['expect-exit'] !== undefined) {
    const isTerminated = all.slice(0, error.step).some((each) => each['signal'] === 'SIGTERM');
    return isTerminated
      ? [owed('CLI-31', 'process/term', 'The agent did not exit after SIGTERM.')]
      : stuckAtTheEnd(parts);
  }
  if (step['expect-answer'] !== undefined) return withoutAnswer(parts);
  if (step['await'] === 'idle') return [...withoutAnswer(parts), ...withoutEnd(parts)];
  if (!awaitsTurn(step)) return [];
  if (parts.runs) return awaitsResult(step) ? withoutResult(parts) : [];
  return parts.asked > 0 ? [] : withoutTurn(parts);
}

function owed(spec: string, rule: string, message: string): Failure {
  return { spec, level: 'must', rule, message };
}

function awaitsResult(step: Step): boolean {
  return [step['expect'], step['until']].some((pattern) => member(pattern, 'type') === 'result');
}

/** Whether a step waits for a message that only a turn can produce. */
function awaitsTurn(step: Step): boolean {
  return [step['expect'], step['until']].some(
    (pattern) =>
      ['result', 'assistant', 'stream_event'].includes(String(member(pattern, 'type'))) ||
      member(pattern, 'subtype') === 'init' ||
      ['can_use_tool', 'hook_callback'].includes(String(member(pattern, 'request', 'subtype'))),
  );
}

type Parts = ReturnType<typeof openParts>;

function stuckAtTheEnd({ runs, asked, inputEnded }: Parts): Failure[] {
  if (!inputEnded) return [];
  if (!runs)
    return [
      owed('CLI-22', 'process/exits', 'The input has ended and no turn is running, but the agent has not exited.'),
    ];
  return asked > 0
    ? [owed('CLI-25', 'process/waits', 'The input has ended, but the agent still waits for an answer to its request.')]
    : [
        owed(
          'CLI-20',
          'process/turn-ends',
          'The input has ended, and the running turn has not produced a result within the time limit.',
        ),
      ];
}

function withoutAnswer({ unanswered, isBusy, isAsked }: Parts): Failure[] {
  if (unanswered === undefined) return [];
  const message = `The request ${shortJson(unanswered)} was not answered within the time limit`;
  return [
    owed('CTL-3', 'response/in-time', `${message}.`),
    ...(isBusy ? [owed('CTL-13', 'response/while-a-turn-runs', `${message}, and a turn is running.`)] : []),
    ...(isAsked ? [owed('CTL-14', 'response/while-asked', `${message}, and a request of the agent is open.`)] : []),
  ];
}

/** Returns what is broken if the agent does not become idle: its turn, or the turn of a waiting prompt, does not end. */
function withoutEnd(parts: Parts): Failure[] {
  if (parts.runs) return withoutResult(parts);
  return parts.asked > 0 ? [] : withoutTurn(parts);
}

function withoutResult({ asked, inputEnded }: Parts): Failure[] {
  if (asked > 0) {
    const message = 'The input has ended, but the agent still waits for an answer to its request.';
    return inputEnded ? [owed('CLI-25', 'process/waits', message)] : [];
  }
  const message =
    'A turn has begun, but has not produced a result within the time limit, although the agent is not waiting for an answer.';
  return [owed('TRN-10', 'turn/ends', message)];
}

/**
 * Returns what is broken if a prompt from the suite does not get a turn in time. The broken requirement depends on what happened before the prompt.
 */
function withoutTurn({ waiting, inputEnded }: Parts): Failure[] {
  if (waiting === undefined) return [];
  const message = `The prompt ${shortJson(waiting.message['uuid'])} did not start a turn within the time limit, and no turn is running.`;
  if (inputEnded) return [owed('CLI-21', 'process/prompts-run', message)];
  const after = waiting.after;
  if (waiting.whileBusy)
    return [
      owed('TRN-16', 'prompt/taken', message),
      ...(after?.isInterrupted === true ? [owed('INT-15', 'interrupt/queue-goes-on', message)] : []),
    ];
  if (after === undefined) return [];
  if (after.isInterrupted) return [owed('INT-10', 'interrupt/next-prompt', message)];
  return [owed(after.isError ? 'TRN-14' : 'TRN-13', 'turn/next-prompt', message)];
}

interface Waiting {
  readonly message: Message;
  /** Whether a turn was running when the prompt was sent. */
  readonly whileBusy: boolean;
  /** How the last turn ended. `undefined` before the first turn. */
  readonly after: { readonly isError: boolean; readonly isInterrupted: boolean } | undefined;
}

function openParts(session: AgentProcess) {
  let runs = false;
  let isInterrupted = false;
  let after: Waiting['after'];
  const asked = new Set<unknown>();
  const requested = new Map<unknown, { readonly isBusy: boolean; readonly isAsked: boolean }>();
  const waiting = new Map<unknown, { readonly message: Message; readonly whileBusy: boolean }>();
  const seen = new Set<unknown>();
  const log = readSession(session);
  for (const { message, isOurs } of timelineOf(log)) {
    const { type, request_id: id, uuid } = message;
    if (type === 'control_response') (isOurs ? asked : requested).delete(answeredId(message));
    else if (type === 'control_cancel_request') (isOurs ? requested : asked).delete(id);
    else if (subtypeOf(message) !== undefined && isOurs) {
      requested.set(id, { isBusy: runs, isAsked: asked.size > 0 });
      if (subtypeOf(message) === 'interrupt') isInterrupted ||= runs;
      if (member(message, 'request', 'cancel_queued') === true) waiting.clear();
      waiting.delete(member(message, 'request', 'message_uuid'));
    } else if (subtypeOf(message) !== undefined) asked.add(id);
    else if (!isOurs && isInit(message)) {
      runs = true;
      isInterrupted = false;
      // The prompt of the turn, or all waiting prompts if the agent does not name a prompt.
      const named = listOf(message['user_message_uuids']);
      if (named.length === 0) waiting.clear();
      for (const each of named) waiting.delete(each);
    } else if (!isOurs && type === 'command_lifecycle' && message['state'] !== 'queued')
      waiting.delete(message['command_uuid']);
    else if (!isOurs && type === 'result') {
      runs = false;
      after = { isError: message['is_error'] === true, isInterrupted };
      for (const each of listOf(message['user_message_uuids'])) waiting.delete(each);
    } else if (isOurs && isPlainPrompt(message) && !seen.has(uuid)) {
      seen.add(uuid);
      waiting.set(uuid, { message, whileBusy: runs });
    }
  }
  const [first] = waiting.values();
  const [unanswered, request] = [...requested].at(-1) ?? [];
  return {
    runs,
    asked: asked.size,
    unanswered,
    isBusy: runs && request?.isBusy === true,
    isAsked: asked.size > 0 && request?.isAsked === true,
    inputEnded: log.events.some(({ kind }) => kind === 'input-ended'),
    waiting: first && { ...first, after },
  };
}

/** Whether a message is a prompt of the usual form, so that only earlier events can prevent its turn. */
function isPlainPrompt({ type, uuid, shouldQuery, priority, message }: Message): boolean {
  return (
    type === 'user' &&
    typeof uuid === 'string' &&
    shouldQuery !== false &&
    priority === undefined &&
    member(message, 'role') === 'user' &&
    typeof member(message, 'content') === 'string'
  );
}
