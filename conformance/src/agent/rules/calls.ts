import { onceFor } from '../../once-for.ts';
import { listOf, member, type Message, type Placed, type Session } from '../session-log.ts';
import { blocksOfType, isMain } from './messages/message-rules.ts';
import { sorted } from './messages/stream-rules.ts';
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
  const calls = new Map<unknown, Call>();
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
        calls.set(id, { ...NEW, id, name: String(name), input, at, mode, turn, hooks: [], races: [] });
    if (message['type'] === 'user')
      for (const block of blocksOfType(message, 'tool_result')) report(calls.get(block['tool_use_id']), block, at);
    const request = requestAbout(message);
    const call =
      calls.get(member(message, 'request', 'tool_use_id')) ??
      (request === 'races' ? openCallOf(calls.values(), message) : undefined);
    if (request === undefined || call === undefined) continue;
    const settled: Settled = { request: message, at, answer: undefined, answeredAt: undefined, cancelledAt: undefined };
    asked.set(message['request_id'], settled);
    if (request === 'can_use_tool') call.question ??= settled;
    else call[request].push(settled);
  }
  return [...calls.values()];
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

export function resultsOfTurns({ received }: Session): ReadonlyMap<number, Placed> {
  const results = new Map<number, Placed>();
  let turn = 0;
  for (const placed of received) {
    if (isInit(placed.message)) turn += 1;
    if (placed.message['type'] === 'result' && !results.has(turn)) results.set(turn, placed);
  }
  return results;
}

/** The positions at which the agent answered a request or reported the start of a prompt, by the id of the request or prompt. */
const actedOnAt: (session: Session) => ReadonlyMap<unknown, number> = onceFor(
  ({ received }) =>
    new Map(
      received.flatMap(({ message, at }) => {
        const id = message['state'] === 'started' ? message['command_uuid'] : answeredId(message);
        return id === undefined ? [] : [[id, at] as const];
      }),
    ),
);

/**
 * Whether the host sent something between two positions that may end a turn or leave it without a further reply. Something that was sent earlier
 * also counts if the agent had not acted on it before the first position.
 */
export function mayStop(session: Session, from: number, to: number): boolean {
  const acted = actedOnAt(session);
  return (
    session.signalledByStep === true ||
    session.sent.some(({ message, at }) => {
      if (at > to) return false;
      const isStop = ['interrupt', 'end_session'].includes(String(subtypeOf(message))) || message['priority'] === 'now';
      if (at < from) return isStop && (acted.get(message['request_id'] ?? message['uuid']) ?? Infinity) >= from;
      const payload = payloadOf(message);
      return isStop || member(payload, 'interrupt') === true || member(payload, 'continue') === false;
    })
  );
}

export function listedBy({ message }: Placed): readonly unknown[] {
  return listOf(message['permission_denials']).map((denial) => member(denial, 'tool_use_id'));
}

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

export function endOfInput({ events }: Session): number {
  const at = events.findIndex(({ kind }) => kind === 'input-ended');
  return at === -1 ? Infinity : at;
}

const NEW = { question: undefined, result: undefined, resultAt: undefined };

/**
 * Returns the call for which a `PermissionRequest` hook was called. The hook's `tool_use_id` might not be the id of a call, so calls with another
 * input are left out. Of several calls that are open at the same time, those that have no such hook yet come first.
 */
function openCallOf(calls: Iterable<Call>, message: Message): Call | undefined {
  const name = member(message, 'request', 'input', 'tool_name');
  const input = sorted(member(message, 'request', 'input', 'tool_input'));
  const open = [...calls].filter((call) => call.name === name && call.result === undefined);
  const same = open.filter((call) => sorted(call.input) === input);
  const [first] = same.filter(({ races }) => races.length === 0);
  return first ?? same.at(-1) ?? open.at(-1);
}

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
export function effectiveInput(call: Call): unknown {
  const isChanged = [...call.hooks, ...call.races].some((hook) =>
    JSON.stringify(saidTo(hook) ?? {}).includes('updatedInput'),
  );
  const [only, ...others] = [...call.hooks, ...call.races];
  const output = member(saidTo(only), 'hookSpecificOutput');
  const isSure = others.length === 0 && call.question === undefined && member(output, 'permissionDecision') === 'allow';
  if (isChanged) return isSure ? member(output, 'updatedInput') : undefined;
  return member(saidTo(call.question), 'updatedInput') ?? call.input;
}

export function hasRun({ result }: Call): boolean {
  return result !== undefined && result['is_error'] !== true;
}
