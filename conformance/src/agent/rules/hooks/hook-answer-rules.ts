import { isDeepStrictEqual } from 'node:util';

import { onceFor } from '../../../once-for.ts';
import { flagValues, member, type Message, type Placed, type Session, timeOf } from '../../session-log.ts';
import { blocksOfType } from '../messages/message-rules.ts';
import {
  type Call,
  callsOf,
  decisionsOf,
  endOfInput,
  hasRun,
  hookCallsOf,
  hookEventOf,
  isGivenUp,
  isListedBy,
  isOpenAt,
  resultsOfTurns,
  saidTo,
  type Settled,
  effectiveInput,
  wasRefused,
} from '../calls.ts';
import { mayStop } from '../stops.ts';
import { asksHost, isAllowedByHooks } from '../permissions/decision-rules.ts';
import { repliesOf, resultsOf } from '../moments.ts';
import { between, firstAfter, lastBefore } from '../../../positions.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { subtypeOf, timelineOf } from '../timeline.ts';
import { Registered } from './registered-hooks.ts';

export const hookAnswerRules: readonly Rule[] = [
  { name: 'hook/blocked-prompt', spec: 'HOK-19', check: repliesToBlocked },
  { name: 'hook/prompt-timeout', spec: 'HOK-35', check: repliesAfterTimeouts },
  { name: 'hook/prompt-waits', spec: 'HOK-10', check: repliesDuringHooks },
  { name: 'hook/blocked-stop', spec: 'HOK-20', check: turnsThatEnded },
  { name: 'hook/stopped', spec: 'HOK-32', check: repliesAfterAStop },
  { name: 'hook/tool-waits', spec: 'HOK-8', check: (session) => ranDuringHooks(session, 'before-the-end') },
  { name: 'hook/end-blocks', spec: 'HOK-31', check: (session) => ranDuringHooks(session, 'after-the-end') },
  { name: 'hook/allowed-runs', spec: 'HOK-16', check: deniedThoughAllowed },
  { name: 'hook/failure-decides-nothing', spec: 'HOK-26', check: deniedByFailures },
  { name: 'hook/of-the-outcome', spec: 'HOK-42', check: hooksOfTheOtherOutcome },
  { name: 'hook/timeout-cancels', spec: 'HOK-29', check: uncancelled },
];

/** How long after its timeout a hook may still be open. */
const PATIENCE_MS = 2000;

/** Whether a reply is the model's, and not the agent's own message. */
function isReply(message: Message): boolean {
  const isOwn = message['error'] !== undefined || member(message, 'message', 'model') === '<synthetic>';
  return !isOwn && message['aborted'] !== true;
}

const modelRepliesOf: (session: Session) => readonly Placed[] = onceFor((session) =>
  repliesOf(session).filter(({ message }) => isReply(message)),
);

function nextResult(session: Session, from: number): Placed | undefined {
  return firstAfter(resultsOf(session), from);
}

function nextReply(session: Session, from: number): Placed | undefined {
  return firstAfter(modelRepliesOf(session), from);
}

/** The hooks for prompts that begin a turn, which means that the model has sent nothing since the last result. */
const promptHooks: (session: Session) => readonly Settled[] = onceFor((session) =>
  hookCallsOf(session).filter((hook) => {
    if (hookEventOf(hook) !== 'UserPromptSubmit') return false;
    const reply = lastBefore(modelRepliesOf(session), hook.at)?.at ?? -1;
    return reply <= (lastBefore(resultsOf(session), hook.at)?.at ?? -1);
  }),
);

function replyInTurnAfter(session: Session, hook: Settled, from: number): Message | undefined {
  const end = nextResult(session, hook.at)?.at ?? Infinity;
  const reply = nextReply(session, from);
  return reply !== undefined && reply.at < end ? reply.message : undefined;
}

function repliesToBlocked(session: Session): Broken | undefined {
  return firstOf(promptHooks(session), (hook) => {
    const said = saidTo(hook);
    const isBlocked = member(said, 'decision') === 'block' || member(said, 'continue') === false;
    const reply = isBlocked ? replyInTurnAfter(session, hook, hook.answeredAt ?? Infinity) : undefined;
    return reply && { message: 'A hook blocked the prompt, but the agent still called the model.', got: reply };
  });
}

function repliesAfterTimeouts(session: Session): Broken | undefined {
  const timeouts = timeoutsOf(session);
  return firstOf(promptHooks(session), (hook) => {
    const { at, cancelledAt = Infinity, request } = hook;
    // A turn that another prompt replaces ends its hooks earlier.
    const isOver =
      timeOf(session, cancelledAt) - timeOf(session, at) > 0.9 * (timeouts.get(request['request_id']) ?? Infinity);
    const reply = isGivenUp(hook) && isOver ? replyInTurnAfter(session, hook, cancelledAt) : undefined;
    return (
      reply && { message: 'The agent called the model, although the hook for the prompt had not answered.', got: reply }
    );
  });
}

function repliesDuringHooks(session: Session): Broken | undefined {
  return firstOf(promptHooks(session), (hook) => {
    const reply = nextReply(session, hook.at);
    const isEarly = reply !== undefined && isOpenAt(hook, reply.at) && reply.at < endOfInput(session);
    const isSame = isEarly && (nextResult(session, hook.at)?.at ?? Infinity) > reply.at;
    return isSame
      ? { message: 'The agent called the model before a hook for the prompt had answered.', got: reply.message }
      : undefined;
  });
}

function turnsThatEnded(session: Session): Broken | undefined {
  const blocks = hookCallsOf(session).filter(
    (hook) => hookEventOf(hook) === 'Stop' && member(saidTo(hook), 'decision') === 'block',
  );
  const inTime = blocks.toSorted((a, b) => a.at - b.at);
  return firstOf(blocks, (hook) => {
    const { answeredAt = Infinity } = hook;
    const end = nextResult(session, hook.at);
    const reply = nextReply(session, answeredAt);
    const last = Math.min(end?.at ?? Infinity, reply?.at ?? Infinity);
    if (last === Infinity || answeredAt > endOfInput(session) || mayStop(session, hook.at, last)) return undefined;
    if (end?.at === last)
      return String(end.message['subtype']).startsWith('error_')
        ? undefined
        : { message: 'A Stop hook blocked the end of the turn, but the turn ended.', got: end.message };
    const before = lastBefore(modelRepliesOf(session), hook.at)?.at ?? 0;
    const reasons = between(inTime, before, last).map((each) => member(saidTo(each), 'reason'));
    const hasReason = between(session.received, hook.at, last).some(
      ({ message }) => message['type'] === 'user' && hasOneOf(message, reasons),
    );
    return hasReason || member(saidTo(hook), 'reason') === undefined
      ? undefined
      : {
          message: 'The turn continued, but the model did not get the reason from the Stop hook.',
          got: reply?.message,
        };
  });
}

function hasOneOf(message: Message, texts: readonly unknown[]): boolean {
  const content = JSON.stringify(member(message, 'message', 'content')) ?? '';
  return texts.some((text) => typeof text === 'string' && content.includes(JSON.stringify(text).slice(1, -1)));
}

const OF_CALLS = new Set<unknown>(['PreToolUse', 'PostToolUse']);

function repliesAfterAStop(session: Session): Broken | undefined {
  const replyOf = new Map<unknown, unknown>();
  for (const { message } of session.received)
    for (const { id } of blocksOfType(message, 'tool_use')) replyOf.set(id, member(message, 'message', 'id'));
  return firstOf(hookCallsOf(session), (hook) => {
    if (!OF_CALLS.has(hookEventOf(hook)) || member(saidTo(hook), 'continue') !== false) return undefined;
    const own = replyOf.get(member(hook.request, 'request', 'tool_use_id'));
    const end = nextResult(session, hook.at)?.at ?? Infinity;
    const next = nextReply(session, hook.answeredAt ?? Infinity);
    const isSame = next !== undefined && member(next.message, 'message', 'id') === own;
    const further = isSame ? nextOtherReplies(session).get(next) : next;
    return own !== undefined && further !== undefined && further.at < end
      ? { message: 'A hook answered with continue: false, but the agent called the model again.', got: further.message }
      : undefined;
  });
}

/** For each reply of the model, the next message with a different id. */
const nextOtherReplies = onceFor((session: Session) => {
  const others = new Map<Placed, Placed>();
  let [next, other]: (Placed | undefined)[] = [];
  for (const placed of modelRepliesOf(session).toReversed()) {
    if (member(next?.message, 'message', 'id') !== member(placed.message, 'message', 'id')) other = next;
    if (other !== undefined) others.set(placed, other);
    next = placed;
  }
  return others;
});

function ranDuringHooks(session: Session, when: 'before-the-end' | 'after-the-end'): Broken | undefined {
  const end = endOfInput(session);
  return firstOf(callsOf(session), (call) => {
    const { resultAt = Infinity, result } = call;
    const place = when === 'before-the-end' ? resultAt : end;
    const isIn = when === 'before-the-end' ? resultAt < end : resultAt > end && resultAt < Infinity;
    return isIn && hasRun(call) && call.hooks.some((hook) => isOpenAt(hook, place))
      ? { message: `A call to ${call.name} ran before its hook had answered.`, got: result }
      : undefined;
  });
}

function hasDenyRule(session: Session): boolean {
  const flags = flagValues(session, '--disallowedTools', '--disallowed-tools', '--settings');
  return (
    flags.length > 0 ||
    textOf(session)
      .split(/[\n\r\u2028\u2029]/)
      .some(namesDenyRule)
  );
}

/** Looks for the first and the last place only, because a search for each pair would take long in a long text. */
function namesDenyRule(line: string): boolean {
  const rules = line.indexOf('"rules":');
  const isAfterRules = rules !== -1 && line.lastIndexOf('"behavior":"deny"') > rules;
  return isAfterRules || /"behavior":"deny","(rules|destination)/.test(line);
}

const textOf = ({ sent }: Session) => JSON.stringify(sent);

/** Finds calls that are listed as denied, although `test` shows that neither a hook nor a rule denied them. */
function deniedAll(session: Session, test: (call: Call) => boolean): Broken | undefined {
  if (hasDenyRule(session)) return undefined;
  const ends = resultsOfTurns(session);
  return firstOf(callsOf(session), (call) => {
    const end = ends.get(call.turn);
    const isDenied = end !== undefined && isListedBy(end, call.id) && !mayStop(session, call.at, end.at);
    return isDenied && call.question === undefined && call.mode === 'default' && test(call)
      ? { message: `A call to ${call.name} was denied, but neither a hook nor a rule denied it.`, got: end.message }
      : undefined;
  });
}

/** A tool may refuse an input that a hook has changed. */
function deniedThoughAllowed(session: Session): Broken | undefined {
  const isChanged = (call: Call) => !isDeepStrictEqual(effectiveInput(call), call.input);
  return deniedAll(session, (call) => isAllowedByHooks(call) && !isChanged(call));
}

function deniedByFailures(session: Session): Broken | undefined {
  if (!asksHost(session) || textOf(session).includes('onFailure')) return undefined;
  return deniedAll(
    session,
    (call) =>
      call.hooks.some(wasRefused) &&
      decisionsOf(call).length === 0 &&
      call.hooks.every((hook) => hook.answer !== undefined && !isGivenUp(hook)),
  );
}

function hooksOfTheOtherOutcome(session: Session): Broken | undefined {
  const calls = new Map(callsOf(session).map((call) => [call.id, call]));
  return firstOf(hookCallsOf(session), (hook) => {
    const call = calls.get(member(hook.request, 'request', 'tool_use_id'));
    const event = hookEventOf(hook);
    if (call?.resultAt === undefined || mayStop(session, call.at, call.resultAt)) return undefined;
    const wanted = hasRun(call) ? 'PostToolUse' : 'PostToolUseFailure';
    return (event === 'PostToolUse' || event === 'PostToolUseFailure') && event !== wanted
      ? {
          message: `A ${event} hook was called, but the outcome of the call does not fit this event.`,
          got: hook.request,
        }
      : undefined;
  });
}

/** The timeouts of the calls of hooks in milliseconds, by the id of the call. A hook that several matchers name may have the longest one. */
function timeoutsOf(session: Session): ReadonlyMap<unknown, number> {
  const registered = new Registered();
  const timeouts = new Map<unknown, number>();
  for (const { message, isOurs } of timelineOf(session)) {
    registered.follow(message, isOurs);
    const [event, id] = [
      member(message, 'request', 'input', 'hook_event_name'),
      member(message, 'request', 'callback_id'),
    ];
    if (isOurs || subtypeOf(message) !== 'hook_callback') continue;
    const matchers = registered.of(String(event)).filter(({ ids }) => ids.includes(id));
    const seconds = matchers.map(({ timeout }) => (typeof timeout === 'number' ? timeout : Infinity));
    if (seconds.length > 0) timeouts.set(message['request_id'], 1000 * Math.max(...seconds));
  }
  return timeouts;
}

/** Finds hooks that stayed open although their timeout had passed. */
function uncancelled(session: Session): Broken | undefined {
  const timeouts = timeoutsOf(session);
  const { events } = session;
  const end = events.findIndex(({ kind }) => kind === 'input-ended' || kind === 'exited');
  const lastAt = end === -1 ? events.length - 1 : end;
  return firstOf(hookCallsOf(session), ({ request, at, answeredAt, cancelledAt }) => {
    const until = Math.min(answeredAt ?? Infinity, cancelledAt ?? Infinity, lastAt);
    const open = timeOf(session, until) - timeOf(session, at);
    return open > (timeouts.get(request['request_id']) ?? Infinity) + PATIENCE_MS
      ? {
          message: `A hook was still open ${Math.round(open)} ms after its call, although it has a timeout.`,
          got: request,
        }
      : undefined;
  });
}
