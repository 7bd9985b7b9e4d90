import { shortJson } from '@proto/testkit/steps';

import { listOf, member, type Message, type Session } from '../../session-log.ts';
import { callsOf, decisionsOf, endOfInput, saidTo, wasRefused } from '../calls.ts';
import { blocksOfType, isMain } from '../messages/message-rules.ts';
import { endBySignal } from '../moments.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { fits, type Matcher, Registered } from './registered-hooks.ts';
import { ValuedMap } from '../valued-map.ts';
import { answeredId, isInit, payloadOf, subtypeOf, timelineOf } from '../timeline.ts';

export const hookCallRules: readonly Rule[] = [
  {
    name: 'hook/of-each-prompt',
    spec: 'HOK-10',
    check: (session) => turnsWithout(session, 'UserPromptSubmit', 'before-replies'),
  },
  { name: 'hook/of-each-end', spec: 'HOK-11', check: (session) => turnsWithout(session, 'Stop', 'after-replies') },
  { name: 'hook/fits', spec: 'HOK-6', check: (session) => hooksOfOtherTools(session, () => true) },
  { name: 'hook/whole-names', spec: 'HOK-51', check: (session) => hooksOfOtherTools(session, isSimilar) },
  { name: 'hook/replaced', spec: 'HOK-4', check: replacedHooks },
  { name: 'hook/not-after-a-denial', spec: 'HOK-36', check: postHooksOfDenied },
  { name: 'hook/not-after-an-interrupt', spec: 'HOK-37', check: stopsOfInterrupted },
  { name: 'hook/stop-active', spec: 'HOK-34', check: wrongStopActive },
  { name: 'hook/present-mode', spec: 'HOK-44', check: otherModes },
  { name: 'hook/failure-reported', spec: 'HOK-27', check: silentFailures },
];

function eventOf(message: Message): string | undefined {
  const event = member(message, 'request', 'input', 'hook_event_name');
  return subtypeOf(message) === 'hook_callback' && typeof event === 'string' ? event : undefined;
}

/** Whether the model handled a turn: it began with a prompt, and no agent command answered it. */
function isOrdinary(result: Message): boolean {
  const { subtype, is_error: isError, terminal_reason: reason = 'completed', num_turns: rounds } = result;
  const isPlain = subtype === 'success' && isError === false && reason === 'completed' && Number(rounds) > 0;
  return isPlain && result['local_command'] === undefined && result['origin'] === undefined;
}

function turnsWithout(session: Session, event: string, when: 'before-replies' | 'after-replies'): Broken | undefined {
  const registered = new Registered();
  let owed: readonly unknown[] = [];
  let called = new Set<unknown>();
  let hasReplied = false;
  // After the end of its input, the agent cannot receive the answer of a hook.
  const end = Math.min(endOfInput(session), endBySignal(session));
  return firstOf(timelineOf(session), ({ message, isOurs, at }) => {
    registered.follow(message, isOurs);
    if (isOurs || at > end) return undefined;
    if (isInit(message)) owed = registered.of(event).flatMap(({ ids }) => ids);
    if (message['type'] === 'assistant' && isMain(message)) {
      hasReplied = true;
      if (when === 'after-replies') called.clear();
    }
    if (eventOf(message) === event && hasReplied === (when === 'after-replies'))
      called.add(member(message, 'request', 'callback_id'));
    if (message['type'] !== 'result') return undefined;
    // A later initialize may have replaced the hooks since the turn began.
    const registeredNow = new Set(registered.of(event).flatMap(({ ids }) => ids));
    const missing = isOrdinary(message) ? owed.find((hook) => registeredNow.has(hook) && !called.has(hook)) : undefined;
    owed = [];
    called = new Set();
    hasReplied = false;
    return missing === undefined
      ? undefined
      : {
          message: `The ${event} hook ${shortJson(missing)} was not called, or was called at the wrong time.`,
          got: message,
        };
  });
}

/** Whether a matcher that names other tools has a name that contains, or is part of, the name of the tool. */
function isSimilar({ matcher }: Matcher, tool: unknown): boolean {
  const [names, name] = [String(matcher).toLowerCase().split('|'), String(tool).toLowerCase()];
  return names.some((each) => each.includes(name) || name.includes(each));
}

/** Finds hooks that were called for a tool that their matchers do not match. `applies` chooses the matchers that are checked. */
function hooksOfOtherTools(
  session: Session,
  applies: (matcher: Matcher, tool: unknown) => boolean,
): Broken | undefined {
  const registered = new Registered();
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    registered.follow(message, isOurs);
    const event = isOurs ? undefined : eventOf(message);
    const name = member(message, 'request', 'input', 'tool_name');
    if (event === undefined || name === undefined) return undefined;
    const id = member(message, 'request', 'callback_id');
    const own = registered.of(event).filter(({ ids }) => ids.includes(id));
    return own.length === 0 || own.some((each) => fits(each.matcher, name) !== false || !applies(each, name))
      ? undefined
      : {
          message: `The hook ${shortJson(id)} was called for ${shortJson(name)}, which its matcher does not match.`,
          got: message,
        };
  });
}

/** Finds hooks that are called although a later `initialize` has replaced them: for a new call, or after the turn that was running. */
function replacedHooks(session: Session): Broken | undefined {
  const registered = new Registered();
  const calls = new Set<unknown>();
  let isOtherTurn = false;
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    const { count } = registered;
    registered.follow(message, isOurs);
    if (registered.count !== count) {
      isOtherTurn = false;
      calls.clear();
    }
    if (isOurs || !registered.isKnown) return undefined;
    isOtherTurn ||= message['type'] === 'result';
    for (const { id } of blocksOfType(message, 'tool_use')) calls.add(id);
    const event = eventOf(message);
    if (event === undefined || !(isOtherTurn || calls.has(member(message, 'request', 'tool_use_id')))) return undefined;
    const id = member(message, 'request', 'callback_id');
    return registered.of(event).some(({ ids }) => ids.includes(id))
      ? undefined
      : {
          message: `The ${event} hook ${shortJson(id)} was called, but a later initialize has replaced it.`,
          got: message,
        };
  });
}

function postHooksOfDenied(session: Session): Broken | undefined {
  const calls = new Map(callsOf(session).map((call) => [call.id, call]));
  return firstOf(session.received, ({ message, at }) => {
    const call = calls.get(member(message, 'request', 'tool_use_id'));
    if (eventOf(message) !== 'PostToolUse' || call === undefined || call.races.length > 0) return undefined;
    const isBefore = (call.question?.answeredAt ?? Infinity) < at;
    const isDenied = isBefore && (wasRefused(call.question) || member(saidTo(call.question), 'behavior') === 'deny');
    return isDenied || decisionsOf(call).includes('deny')
      ? { message: 'A PostToolUse hook was called for a call that was denied.', got: message }
      : undefined;
  });
}

function stopsOfInterrupted(session: Session): Broken | undefined {
  const asked = new Set<unknown>();
  let isOpen = false;
  let isInterrupted = false;
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    if (isOurs && subtypeOf(message) === 'interrupt' && isOpen) asked.add(message['request_id']);
    if (isOurs) return undefined;
    if (isInit(message)) isOpen = true;
    if (isOpen && asked.has(answeredId(message)) && payloadOf(message) !== undefined) isInterrupted = true;
    if (message['type'] === 'result') {
      isOpen = isInterrupted = false;
      asked.clear();
    }
    return isInterrupted && eventOf(message) === 'Stop'
      ? { message: 'A Stop hook was called for a turn that was interrupted.', got: message }
      : undefined;
  });
}

/** Hooks that are called together get the same value. */
function wrongStopActive(session: Session): Broken | undefined {
  const open = new Set<unknown>();
  let isActive = false;
  let isBlocked = false;
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    const isSettled = open.delete(isOurs ? answeredId(message) : message['request_id']);
    if (isSettled && isOurs) isBlocked ||= member(payloadOf(message), 'decision') === 'block';
    if (isSettled && open.size === 0) isActive ||= isBlocked;
    if (isOurs) return undefined;
    if (message['type'] === 'result') isActive = isBlocked = false;
    if (eventOf(message) !== 'Stop') return undefined;
    open.add(message['request_id']);
    const given = member(message, 'request', 'input', 'stop_hook_active');
    return given === isActive
      ? undefined
      : { message: `stop_hook_active is ${shortJson(given)}, but must be ${String(isActive)}.`, got: message };
  });
}

function otherModes(session: Session): Broken | undefined {
  const modes = new Set<unknown>();
  // The modes of requests and of answers that the agent may not have acted on.
  const asked = new ValuedMap<unknown, unknown>();
  const updated = new Set<unknown>();
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    if (isOurs && subtypeOf(message) === 'set_permission_mode') {
      const mode = member(message, 'request', 'mode');
      asked.set(message['request_id'], mode === 'manual' ? 'default' : mode);
    }
    for (const update of listOf(member(payloadOf(message), 'updatedPermissions')))
      if (isOurs && member(update, 'type') === 'setMode') updated.add(member(update, 'mode'));
    if (isOurs) return undefined;
    const id = answeredId(message);
    const answered = asked.has(id) && payloadOf(message) !== undefined ? asked.get(id) : undefined;
    asked.delete(id);
    const isReport = isInit(message) || message['subtype'] === 'status';
    const now = answered ?? (isReport ? message['permissionMode'] : undefined);
    if (isInit(message)) updated.clear();
    updated.delete(now);
    // If another change may take effect, either mode is possible.
    if (now !== undefined && asked.size + updated.size === 0) modes.clear();
    if (now !== undefined) modes.add(now);
    const mode = member(message, 'request', 'input', 'permission_mode');
    return mode === undefined || modes.size === 0 || modes.has(mode) || asked.hasValue(mode) || updated.has(mode)
      ? undefined
      : {
          message: `The input of a hook has the mode ${shortJson(mode)}, which is not the mode of the session.`,
          got: message,
        };
  });
}

/** A failure that blocks something is visible without a report. */
function silentFailures(session: Session): Broken | undefined {
  if (JSON.stringify(session.sent).includes('onFailure')) return undefined;
  const asked = new Set<unknown>();
  let failed: Message | undefined;
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    // The failure of a hook whose question is already decided has no effect.
    if (!isOurs && eventOf(message) !== undefined && eventOf(message) !== 'PermissionRequest')
      asked.add(message['request_id']);
    if (!isOurs && message['type'] === 'control_cancel_request') asked.delete(message['request_id']);
    const id = answeredId(message);
    if (isOurs && asked.delete(id) && member(message, 'response', 'subtype') === 'error') failed = message;
    if (!isOurs && message['tag'] === 'hook_callback_failed') failed = undefined;
    if (isOurs || message['type'] !== 'result') return undefined;
    const silent = message['subtype'] === 'success' ? failed : undefined;
    failed = undefined;
    return silent && { message: 'A hook failed, and the turn ended without a report of the failure.', got: silent };
  });
}
