import { shortJson } from '@proto/testkit/steps';

import { member, type Message, type Session } from '../../session-log.ts';
import { endOfInput } from '../calls.ts';
import { blocksOfType, isMain } from '../messages/message-rules.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { subtypeOf, timelineOf } from '../timeline.ts';
import { fits, type Matcher, Registered } from './registered-hooks.ts';

/** How often the hooks of a call to a tool are called. */
export const hookTimesRules: readonly Rule[] = [
  { name: 'hook/before-each-call', spec: 'HOK-5', check: (session) => uncalled(session, 'PreToolUse') },
  { name: 'hook/after-each-call', spec: 'HOK-9', check: (session) => uncalled(session, 'PostToolUse') },
  {
    name: 'hook/matcher-left-out',
    spec: 'HOK-1',
    check: (session) => uncalled(session, 'PreToolUse', isLeftOut) ?? uncalled(session, 'PostToolUse', isLeftOut),
  },
  { name: 'hook/called-once', spec: 'HOK-5', check: calledTooOften },
];

const TOOL_EVENTS = new Set(['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest']);

const isLeftOut = ({ matcher }: Matcher) => matcher === null || matcher === '';

/** How often each id occurs. */
type Times = ReadonlyMap<unknown, number>;

/** How often each hook is called for an event that all the matchers match: once for each time that they name its id. */
function timesOfIds(matchers: readonly Matcher[]): Times {
  const times = new Map<unknown, number>();
  for (const id of matchers.flatMap(({ ids }) => ids)) times.set(id, (times.get(id) ?? 0) + 1);
  return times;
}

/** Finds calls that ran, or about which the host was asked, although a matching hook of an event was not called. */
function uncalled(
  session: Session,
  event: string,
  isMeant: (matcher: Matcher) => boolean = () => true,
): Broken | undefined {
  const registered = new Registered();
  const calls = new Map<unknown, { readonly name: unknown; readonly owed: Times }>();
  const called = new Map<unknown, Map<unknown, number>>();
  const end = endOfInput(session);
  const missingOf = (id: unknown, got: Message): Broken | undefined => {
    const call = calls.get(id);
    // A later initialize may have replaced the hooks since the call was made.
    const now = timesOfIds(registered.of(event).filter((each) => fits(each.matcher, call?.name) === true));
    const missing = [...(call?.owed ?? [])].find(
      ([hook, times]) => Math.min(times, now.get(hook) ?? 0) > (called.get(id)?.get(hook) ?? 0),
    );
    if (missing === undefined) return undefined;
    const [hook, times] = missing;
    const often = times === 1 ? '' : `${times} times, as often as the matchers name it, `;
    return {
      message: `The ${event} hook ${shortJson(hook)} was not called ${often}for a call to ${String(call?.name)}.`,
      got,
    };
  };
  return firstOf(timelineOf(session), ({ message, isOurs, at }) => {
    registered.follow(message, isOurs);
    if (isOurs || at > end) return undefined;
    if (message['type'] === 'assistant' && isMain(message))
      for (const { id, name } of blocksOfType(message, 'tool_use')) {
        const fitting = registered.of(event).filter((each) => isMeant(each) && fits(each.matcher, name) === true);
        calls.set(id, { name, owed: timesOfIds(fitting) });
      }
    const own = member(message, 'request', 'tool_use_id');
    if (member(message, 'request', 'input', 'hook_event_name') === event) {
      const times = called.get(own) ?? new Map<unknown, number>();
      const hook = member(message, 'request', 'callback_id');
      called.set(own, times.set(hook, (times.get(hook) ?? 0) + 1));
    }
    if (subtypeOf(message) === 'can_use_tool' && event === 'PreToolUse') return missingOf(own, message);
    if (message['type'] !== 'user') return undefined;
    // A call that did not run may have been refused before a hook was called.
    return firstOf(blocksOfType(message, 'tool_result'), ({ tool_use_id: id, is_error: isError }) =>
      isError === true ? undefined : missingOf(id, message),
    );
  });
}

function calledTooOften(session: Session): Broken | undefined {
  const registered = new Registered();
  const called = new Map<string, number>();
  const calls = new Set<unknown>();
  return firstOf(timelineOf(session), ({ message, isOurs }) => {
    registered.follow(message, isOurs);
    if (isOurs) return undefined;
    if (message['type'] === 'assistant') for (const { id } of blocksOfType(message, 'tool_use')) calls.add(id);
    if (subtypeOf(message) !== 'hook_callback' || !registered.isKnown) return undefined;
    const event = member(message, 'request', 'input', 'hook_event_name');
    const tool = member(message, 'request', 'input', 'tool_name');
    const call = member(message, 'request', 'tool_use_id');
    if (!TOOL_EVENTS.has(String(event)) || !calls.has(call)) return undefined;
    const hook = member(message, 'request', 'callback_id');
    const key = shortJson([event, call, hook], 500);
    const times = (called.get(key) ?? 0) + 1;
    called.set(key, times);
    const fitting = registered.of(String(event)).filter(({ matcher }) => fits(matcher, tool) !== false);
    if (times <= Math.max(1, timesOfIds(fitting).get(hook) ?? 0)) return undefined;
    return {
      message: `A hook for ${String(event)} was called ${times} times for one call, more often than its matchers name it.`,
      got: message,
    };
  });
}
