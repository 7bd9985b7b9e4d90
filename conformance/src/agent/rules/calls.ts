import { isObject } from '@proto/testkit/steps';

import { onceFor } from '../../once-for.ts';
import { listOf, member, type Message, type Placed, type Session } from '../session-log.ts';
import { blocksOfType, isMain } from './messages/message-rules.ts';
import { boundsOf } from './moments.ts';
import { sorted } from './messages/stream-rules.ts';
import { OpenCalls } from './open-calls.ts';
import { answeredId, isInit, payloadOf, subtypeOf, timelineOf } from './timeline.ts';

/**
 * How the host answered an agent's request: with a payload, with an error, or not at all, because the agent cancelled the request or the input ended.
 */
export interface Settled {
  readonly request: Message;
  readonly at: number;
  answer: Message | undefined;
  answeredAt: number | undefined;
  cancelledAt: number | undefined;
}

/** A tool call by the model in the main conversation, with all questions and answers about it. */
export interface Call {
  readonly id: unknown;
  readonly name: string;
  readonly input: unknown;
  readonly at: number;
  /** The mode of the session when the model made the call. */
  readonly mode: unknown;
  readonly turn: number;
  /** The calls of the `PreToolUse` hooks for this call. */
  readonly hooks: Settled[];
  /** The calls of the `PermissionRequest` hooks for this call. */
  readonly races: Settled[];
  question: Settled | undefined;
  /** The block that contains the result of the call. */
  result: Message | undefined;
  resultAt: number | undefined;
}

export const callsOf: (session: Session) => readonly Call[] = onceFor((session) => {
  const calls = new OpenCalls<Call>();
  const asked = new Map<unknown, Settled>();
  let mode: unknown;
  let turn = 0;
  for (const { message, at, isOurs } of timelineOf(session)) {
    if (isOurs) {
      const settled = asked.get(answeredId(message));
      if (settled === undefined || message['type'] !== 'control_response') continue;
      settled.answer ??= message;
      settled.answeredAt ??= at;
      continue;
    }
    if (isInit(message)) {
      mode = message['permissionMode'];
      turn += 1;
    }
    if (message['subtype'] === 'status') mode = message['permissionMode'] ?? mode;
    const cancelled = message['type'] === 'control_cancel_request' ? asked.get(message['request_id']) : undefined;
    if (cancelled !== undefined) cancelled.cancelledAt ??= at;
    if (message['type'] === 'assistant' && isMain(message))
      for (const { id, name, input } of blocksOfType(message, 'tool_use'))
        calls.add({ ...NEW, id, name: String(name), input, at, mode, turn, hooks: [], races: [] });
    if (message['type'] === 'user')
      for (const block of blocksOfType(message, 'tool_result')) report(calls.get(block['tool_use_id']), block, at);
    const request = requestAbout(message);
    const call =
      calls.get(member(message, 'request', 'tool_use_id')) ?? (request === 'races' ? calls.ofHook(message) : undefined);
    if (request === undefined || call === undefined) continue;
    const settled: Settled = { request: message, at, answer: undefined, answeredAt: undefined, cancelledAt: undefined };
    asked.set(message['request_id'], settled);
    if (request === 'can_use_tool') call.question ??= settled;
    else call[request].push(settled);
  }
  return calls.all();
});

export const hookCallsOf: (session: Session) => readonly Settled[] = onceFor((session) => {
  const asked = new Map<unknown, Settled>();
  for (const { message, at, isOurs } of timelineOf(session)) {
    const settled = asked.get(isOurs ? answeredId(message) : message['request_id']);
    if (isOurs && settled !== undefined && message['type'] === 'control_response') {
      settled.answer ??= message;
      settled.answeredAt ??= at;
    }
    if (!isOurs && message['type'] === 'control_cancel_request' && settled !== undefined) settled.cancelledAt ??= at;
    if (!isOurs && subtypeOf(message) === 'hook_callback')
      asked.set(message['request_id'], {
        request: message,
        at,
        answer: undefined,
        answeredAt: undefined,
        cancelledAt: undefined,
      });
  }
  return [...asked.values()];
});

export function hookEventOf({ request }: Settled): unknown {
  return member(request, 'request', 'input', 'hook_event_name');
}

export const resultsOfTurns: (session: Session) => ReadonlyMap<number, Placed> = onceFor((session) => {
  const results = new Map<number, Placed>();
  let turn = 0;
  for (const placed of boundsOf(session)) {
    if (isInit(placed.message)) turn += 1;
    if (placed.message['type'] === 'result' && !results.has(turn)) results.set(turn, placed);
  }
  return results;
});

export function listedBy({ message }: Placed): readonly unknown[] {
  return listOf(message['permission_denials']).map((denial) => member(denial, 'tool_use_id'));
}

/** Whether a result lists a call as denied. */
export function isListedBy(result: Placed, id: unknown): boolean {
  return listedSetOf(result).has(id);
}

const listedSetOf = onceFor((result: Placed) => new Set(listedBy(result)));

/**
 * Whether the agent cancelled a request before it was answered, because the request timed out, the decision was made elsewhere, or the turn was over.
 */
export function isGivenUp({ cancelledAt, answeredAt }: Settled): boolean {
  return cancelledAt !== undefined && (answeredAt === undefined || cancelledAt < answeredAt);
}

/** Whether a request was open at a position, which means sent but neither answered nor cancelled. */
export function isOpenAt({ at, answeredAt = Infinity, cancelledAt = Infinity }: Settled, place: number): boolean {
  return at < place && answeredAt > place && cancelledAt > place;
}

export const endOfInput: (session: Session) => number = onceFor(({ events }) => {
  const at = events.findIndex(({ kind }) => kind === 'input-ended');
  return at === -1 ? Infinity : at;
});

const NEW = { question: undefined, result: undefined, resultAt: undefined };

function report(call: Call | undefined, block: Message, at: number): void {
  if (call === undefined) return;
  call.result ??= block;
  call.resultAt ??= at;
}

function requestAbout(message: Message): 'can_use_tool' | 'hooks' | 'races' | undefined {
  if (subtypeOf(message) === 'can_use_tool') return 'can_use_tool';
  const event = member(message, 'request', 'input', 'hook_event_name');
  if (subtypeOf(message) !== 'hook_callback') return undefined;
  if (event === 'PreToolUse') return 'hooks';
  return event === 'PermissionRequest' ? 'races' : undefined;
}

/** The payload of the host's answer. `undefined` for an error, and without an answer, for example because the agent cancelled the request. */
export function saidTo(settled: Settled | undefined): unknown {
  if (settled?.answer === undefined || wasLate(settled)) return undefined;
  return payloadOf(settled.answer);
}

export function wasRefused(settled: Settled | undefined): boolean {
  return settled !== undefined && !wasLate(settled) && member(settled.answer, 'response', 'subtype') === 'error';
}

/** Whether the agent cancelled the request, so that its answer may not count. */
function wasLate({ cancelledAt }: Settled): boolean {
  return cancelledAt !== undefined;
}

export function decisionsOf({ hooks }: Call): readonly unknown[] {
  return hooks.flatMap((hook) => {
    const decision = member(saidTo(hook), 'hookSpecificOutput', 'permissionDecision');
    return decision === undefined ? [] : [decision];
  });
}

/** Returns `undefined` if the input was changed by a hook whose decision may not have counted. */
export const effectiveInput: (call: Call) => unknown = onceFor((call) => {
  const isChanged = [...call.hooks, ...call.races].some((hook) =>
    JSON.stringify(saidTo(hook) ?? {}).includes('updatedInput'),
  );
  const [only, ...others] = [...call.hooks, ...call.races];
  const output = member(saidTo(only), 'hookSpecificOutput');
  const isSure = others.length === 0 && call.question === undefined && member(output, 'permissionDecision') === 'allow';
  if (isChanged) return isSure ? member(output, 'updatedInput') : undefined;
  return member(saidTo(call.question), 'updatedInput') ?? call.input;
});

/** The inputs with which the tool may run. An agent may treat an empty `updatedInput` of an approval as if it was absent. */
export function possibleInputs(call: Call): readonly unknown[] {
  const input = effectiveInput(call);
  return isEmpty(input) ? [input, call.input] : [input];
}

export function isEmpty(input: unknown): boolean {
  return isObject(input) && Object.keys(input).length === 0;
}

/** The name and the input of a call, as a text that is the same for equal calls. */
const nameAndInputOf = onceFor((call: Call) => keyOfCall(call.name, sorted(call.input)));

export function keyOfCall(name: string, input: string): string {
  return JSON.stringify([name, input]);
}

/** Whether the host was asked about an equal call before, and not only because a hook made a decision about that call. */
export function wasAskedBefore(session: Session, call: Call): boolean {
  return (firstAskedOf(session).get(nameAndInputOf(call)) ?? Infinity) < call.at;
}

/** For each name with an input, the position of the first call about which the host was asked. */
const firstAskedOf = onceFor((session: Session) => {
  const first = new Map<string, number>();
  for (const call of callsOf(session)) {
    if (call.question === undefined || decisionsOf(call).length > 0) continue;
    const key = nameAndInputOf(call);
    first.set(key, Math.min(first.get(key) ?? Infinity, call.at));
  }
  return first;
});

export function hasRun({ result }: Call): boolean {
  return result !== undefined && result['is_error'] !== true;
}
