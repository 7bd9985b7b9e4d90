import { isObject, shortJson } from '@proto/testkit/steps';

import { flagValues, hasFlag, listOf, member, type Message, namesIn, type Session } from '../../session-log.ts';
import {
  type Call,
  callsOf,
  decisionsOf,
  effectiveInput,
  isEmpty,
  endOfInput,
  hasRun,
  isGivenUp,
  saidTo,
  wasRefused,
} from '../calls.ts';
import { mayStop } from '../stops.ts';
import { modeChangesOf } from '../exchanges.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { sorted } from '../messages/stream-rules.ts';

export const decisionRules: readonly Rule[] = [
  {
    name: 'permission/error-denies',
    spec: 'PRM-20',
    check: (session) => ran(session, ({ question }) => wasRefused(question)),
  },
  { name: 'permission/only-allow-allows', spec: 'PRM-21', check: (session) => ran(session, isOddlyAnswered) },
  { name: 'permission/end-denies', spec: 'PRM-22', check: ranAfterTheEnd },
  { name: 'hook/denial-holds', spec: 'HOK-13', check: (session) => ran(session, isDeniedByHook) },
  { name: 'hook/block-holds', spec: 'HOK-28', check: ranAfterABlockingFailure },
  {
    name: 'hook/timeout-blocks',
    spec: 'HOK-30',
    check: (session) => ran(session, ({ hooks }) => hooks.some(isGivenUp)),
  },
  { name: 'race/denial-holds', spec: 'HOK-23', check: (session) => ran(session, isDeniedInRace) },
  { name: 'interrupt/withdrawn-call', spec: 'INT-12', check: ranAfterAWithdrawal },
  { name: 'hook/denied-not-asked', spec: 'HOK-14', check: (session) => asked(session, isDeniedByHook) },
  { name: 'hook/allowed-not-asked', spec: 'HOK-16', check: (session) => asked(session, isAllowedByHooks) },
  { name: 'hook/asked', spec: 'HOK-41', check: unaskedForAHook },
  { name: 'permission/dont-ask', spec: 'PRM-34', check: askedInDontAsk },
  { name: 'permission/allowed-tools', spec: 'PRM-3', check: askedAboutAllowed },
  { name: 'permission/listed-did-not-run', spec: 'PRM-19', check: listedThatRan },
  { name: 'permission/unasked-denial-reported', spec: 'PRM-8', check: silentDenials },
  { name: 'permission/changed-input-runs', spec: 'PRM-14', check: ranUnchanged },
  { name: 'hook/changed-input-runs', spec: 'HOK-17', check: ranWithoutTheChange },
  { name: 'hook/input-that-ran', spec: 'HOK-43', check: otherInputsAfter },
];

type Test = (call: Call) => boolean;

function ran(session: Session, mayNot: Test): Broken | undefined {
  return firstOf(callsOf(session), (call) =>
    hasRun(call) && mayNot(call)
      ? { message: `The call to ${call.name} was forbidden, but its result lacks is_error.`, got: call.result }
      : undefined,
  );
}

function asked(session: Session, needsNone: Test): Broken | undefined {
  return firstOf(callsOf(session), (call) =>
    call.question !== undefined && needsNone(call)
      ? {
          message: `The agent asked the host for permission for a call to ${call.name}, which was already decided.`,
          got: call.question.request,
        }
      : undefined,
  );
}

function isOddlyAnswered({ question, races }: Call): boolean {
  const said = saidTo(question);
  return races.length === 0 && said !== undefined && member(said, 'behavior') !== 'allow';
}

const isDeniedByHook: Test = (call) => decisionsOf(call).includes('deny');

/** Whether all `PreToolUse` hooks of a call have answered, at least one hook allows the call, and no hook decides differently. */
export function isAllowedByHooks(call: Call): boolean {
  const decisions = decisionsOf(call);
  const isSure = call.hooks.every((hook) => saidTo(hook) !== undefined);
  return isSure && decisions.length > 0 && decisions.every((decision) => decision === 'allow');
}

/** Whether a `PermissionRequest` hook has denied the call while the question was open. */
function isDeniedInRace({ races, question }: Call): boolean {
  const denied = races.find((hook) => behaviorOf(saidTo(hook)) === 'deny');
  return denied !== undefined && (question?.answeredAt ?? Infinity) > (denied.answeredAt ?? 0);
}

function behaviorOf(payload: unknown): unknown {
  return member(payload, 'hookSpecificOutput', 'decision', 'behavior');
}

function ranAfterTheEnd(session: Session): Broken | undefined {
  const end = session.events.findIndex(({ kind }) => kind === 'input-ended');
  if (end === -1) return undefined;
  return ran(session, ({ question, resultAt, races }) => {
    const wasOpen = question !== undefined && question.answer === undefined && question.at < end;
    return wasOpen && races.length === 0 && (resultAt ?? 0) > end;
  });
}

function ranAfterAWithdrawal(session: Session): Broken | undefined {
  return ran(session, ({ question, races }) => races.length === 0 && question !== undefined && isGivenUp(question));
}

function ranAfterABlockingFailure(session: Session): Broken | undefined {
  const blocking = new Set(
    session.sent.flatMap(({ message }) => matchersOf(message).filter((each) => member(each, 'onFailure') === 'block')),
  );
  const ids = new Set([...blocking].flatMap((each) => listOf(member(each, 'hookCallbackIds'))));
  return ran(session, ({ hooks }) =>
    hooks.some((hook) => wasRefused(hook) && ids.has(member(hook.request, 'request', 'callback_id'))),
  );
}

function matchersOf(message: Message): readonly unknown[] {
  const hooks = member(message, 'request', 'hooks');
  return isObject(hooks) ? Object.values(hooks).flatMap(listOf) : [];
}

export const asksHost = (session: Session) => flagValues(session, '--permission-prompt-tool').includes('stdio');

function unaskedForAHook(session: Session): Broken | undefined {
  if (!asksHost(session)) return undefined;
  return ran(session, (call) => {
    const decisions = decisionsOf(call);
    return call.question === undefined && decisions.includes('ask') && !decisions.includes('deny');
  });
}

function askedInDontAsk(session: Session): Broken | undefined {
  if (JSON.stringify(session.sent).includes('setMode')) return undefined;
  return asked(
    session,
    (call) => call.mode === 'dontAsk' && !decisionsOf(call).includes('ask') && !isModeChanging(session, call),
  );
}

/** Whether a request that changes the mode was open while a call was decided, so that either mode may have applied. */
function isModeChanging(session: Session, { at, question }: Call): boolean {
  return modeChangesOf(session).across(question?.at ?? at, at).length > 0;
}

function askedAboutAllowed(session: Session): Broken | undefined {
  // A value with a pattern allows some calls of a tool but not all.
  const values = flagValues(session, '--allowedTools', '--allowed-tools').filter((value) => !value.includes('('));
  const names = values.flatMap(namesIn);
  const isNamed = (name: string) => names.some((each) => each === name || name.startsWith(`${each}__`));
  return asked(session, (call) => isNamed(call.name) && !decisionsOf(call).includes('ask') && call.mode !== 'plan');
}

function listedThatRan(session: Session): Broken | undefined {
  const listed = new Set(
    session.received.flatMap(({ message }) =>
      message['type'] === 'result'
        ? listOf(message['permission_denials']).map((denial) => member(denial, 'tool_use_id'))
        : [],
    ),
  );
  return ran(session, ({ id }) => listed.has(id));
}

/**
 * Finds calls that a `result` lists as denied although nobody was asked about them and no `system/permission_denied` reports them before their
 * result.
 */
function silentDenials(session: Session): Broken | undefined {
  const reportedAt = new Map(
    session.received.flatMap(({ message, at }) =>
      message['subtype'] === 'permission_denied' ? [[message['tool_use_id'], at] as const] : [],
    ),
  );
  const calls = new Map(callsOf(session).map((call) => [call.id, call]));
  return firstOf(session.received, ({ message }) => {
    const denials = message['type'] === 'result' ? listOf(message['permission_denials']) : [];
    return firstOf(denials, (denial) => {
      const call = calls.get(member(denial, 'tool_use_id'));
      if (call?.resultAt === undefined || call.question !== undefined || call.hooks.length > 0) return undefined;
      // After the end of its input and after an interrupt, the agent cannot ask.
      if (call.resultAt > endOfInput(session) || mayStop(session, call.at, call.resultAt)) return undefined;
      return (reportedAt.get(call.id) ?? Infinity) < call.resultAt
        ? undefined
        : {
            message: `The call to ${call.name} was denied without a permission request and without a report of the denial.`,
            got: denial,
          };
    });
  });
}

/** Finds hooks after a call from which it follows that the tool ran with its original input, although the host had approved another input that is not empty. */
function ranUnchanged(session: Session): Broken | undefined {
  const calls = new Map(callsOf(session).map((call) => [call.id, call]));
  return firstOf(session.received, ({ message }) => {
    const input = member(message, 'request', 'input');
    const call = calls.get(member(message, 'request', 'tool_use_id'));
    const isAfter = ['PostToolUse', 'PostToolUseFailure'].includes(String(member(input, 'hook_event_name')));
    const wanted = member(saidTo(call?.question), 'updatedInput');
    if (!isAfter || call === undefined || !isObject(wanted) || isEmpty(wanted)) return undefined;
    if (sorted(effectiveInput(call)) !== sorted(wanted)) return undefined;
    const isUnchanged = sorted(member(input, 'tool_input')) === sorted(call.input);
    return isUnchanged && sorted(call.input) !== sorted(wanted)
      ? {
          message: `The tool ran with its original input instead of the approved input ${shortJson(wanted)}.`,
          got: message,
        }
      : undefined;
  });
}

/** Finds `PostToolUse` hooks that received a different input than the tool. The agent may add members to the input. */
function otherInputsAfter(session: Session): Broken | undefined {
  if (hasFlag(session, '--agents')) return undefined;
  const calls = new Map(callsOf(session).map((call) => [call.id, call]));
  return firstOf(session.received, ({ message }) => {
    const input = member(message, 'request', 'input');
    const call = calls.get(member(message, 'request', 'tool_use_id'));
    if (member(input, 'hook_event_name') !== 'PostToolUse' || call === undefined) return undefined;
    const wanted = effectiveInput(call);
    const given = member(input, 'tool_input');
    const isOther =
      isObject(wanted) && Object.keys(wanted).some((name) => sorted(wanted[name]) !== sorted(member(given, name)));
    return isOther
      ? {
          message: `tool_input of a PostToolUse hook is not the input with which the tool ran, ${shortJson(wanted)}.`,
          got: message,
        }
      : undefined;
  });
}

/** Finds `PostToolUse` hooks that show that the tool ran with its original input, although a `PreToolUse` hook had changed and allowed it. */
function ranWithoutTheChange(session: Session): Broken | undefined {
  const calls = new Map(callsOf(session).map((call) => [call.id, call]));
  return firstOf(session.received, ({ message }) => {
    const input = member(message, 'request', 'input');
    const call = calls.get(member(message, 'request', 'tool_use_id'));
    if (member(input, 'hook_event_name') !== 'PostToolUse' || call === undefined) return undefined;
    const wanted = call.question === undefined ? effectiveInput(call) : undefined;
    const isOriginal = sorted(member(input, 'tool_input')) === sorted(call.input);
    return isObject(wanted) && isOriginal && sorted(wanted) !== sorted(call.input)
      ? {
          message: `The tool ran with its original input instead of ${shortJson(wanted)}, which a hook had set.`,
          got: message,
        }
      : undefined;
  });
}
