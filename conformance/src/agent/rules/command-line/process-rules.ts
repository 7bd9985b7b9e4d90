import { isObject, shortJson } from '@proto/testkit/steps';

import { isResumed, member, type Message, parseJson, type Session, timeOf } from '../../session-log.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { isInit, isPrompt, subtypeOf } from '../timeline.ts';
import { donePrompts } from '../turns/life-rules.ts';

export const processRules: readonly Rule[] = [
  { name: 'process/stays', spec: 'TRN-13', check: earlyExit },
  { name: 'process/accepts-flags', spec: 'CLI-6', check: refusedFlags },
  { name: 'process/refuses-silently', spec: 'CLI-5', check: noisyRefusals },
  { name: 'process/ends-its-turn', spec: 'CLI-20', check: unfinishedTurns },
  { name: 'process/runs-what-waits', spec: 'CLI-21', check: droppedPrompts },
  { name: 'process/exit-code-without-turn', spec: 'CLI-24', check: (session) => exitCode(session, 'no-turn') },
  { name: 'process/exit-code', spec: 'CLI-36', check: (session) => exitCode(session, 'success') },
  { name: 'process/error-exit-code', spec: 'CLI-37', check: (session) => exitCode(session, 'error') },
  { name: 'process/whole-output', spec: 'CLI-38', check: cutOutput },
  { name: 'process/answers-before-exit', spec: 'CTL-17', check: unansweredAtTheEnd },
];

function earlyExit(session: Session): Broken | undefined {
  // An agent may end when its output is no longer read.
  if (session.endExpected || session.signalled || session.unread || session.exit === undefined) return undefined;
  if (session.events.some(({ kind }) => kind === 'input-ended')) return undefined;
  if (session.sent.some(({ message }) => member(message, 'request', 'subtype') === 'end_session')) return undefined;
  // An agent that refuses its arguments or the first line has not begun a session. The test case specifies whether the agent may refuse them.
  if (session.received.length === 0) return undefined;
  const { code, signal } = session.exit;
  return { message: `The agent exited with ${signal ?? `code ${code}`} while its input was open.` };
}

/** Flags that limit the agent, flags that the agent may refuse, and flags whose value the agent might not support. */
const LIMITS =
  /^--(permission-prompts|disallowed-?[tT]ools|tools|max-turns|max-budget-usd|settings|managed-settings|resume|session-id)/;

function refusedFlags(session: Session): Broken | undefined {
  const { args, exit, signalled, endExpected, received } = session;
  const flags = args.filter((arg) => arg.startsWith('-'));
  const isOver = exit !== undefined && !signalled && !endExpected && exit.code !== 0 && received.length === 0;
  if (!isOver || flags.some((flag) => LIMITS.test(flag)) || hasFatalLine(session)) return undefined;
  return { message: `The agent exited at startup, with the flags ${flags.join(' ')}.` };
}

function noisyRefusals({ args, exit, signalled, received, events }: Session): Broken | undefined {
  const isRefusal =
    exit !== undefined &&
    !signalled &&
    exit.code !== 0 &&
    received.every(({ message }) => message['type'] === 'result');
  if (!isRefusal) return undefined;
  const noise = events.find((event) => event.kind === 'received' && !isObject(event.value));
  return noise?.kind === 'received'
    ? {
        message: `The agent refused ${shortJson(args.slice(-2))}, but wrote to its output.`,
        got: noise.line.text,
      }
    : undefined;
}

/** The position where the input ended, if the process then exited by itself and its output was read. */
function endOfInput(session: Session): number | undefined {
  const { events, exit, signalled, unread } = session;
  const ended = events.findIndex(({ kind }) => kind === 'input-ended');
  const exited = events.findIndex(({ kind }) => kind === 'exited');
  if (exit === undefined || signalled || unread || ended === -1 || exited < ended) return undefined;
  return hasFatalLine(session) ? undefined : ended;
}

/** Whether the suite has sent a line at which an agent may end. */
function hasFatalLine({ events, sent }: Session): boolean {
  const text = events.flatMap((event) => (event.kind === 'sent' ? [event.text] : [])).join('');
  const isJson = (line: string) => line.trim() === '' || (parseJson(line.replace(/^\uFEFF/, '')) ?? null) !== null;
  return (
    !text.split('\n').every(isJson) ||
    sent.some(({ message }) => message['type'] === 'user' && member(message, 'message', 'role') !== 'user') ||
    sent.some(({ message }) => message['type'] === 'control_request' && !isObject(message['request']))
  );
}

function unfinishedTurns(session: Session): Broken | undefined {
  const ended = endOfInput(session);
  const last = session.received.findLast(({ message }) => isBeginning(message) || message['type'] === 'result');
  const isOver = session.received.some(({ message, at }) => at > (last?.at ?? 0) && isFinal(message));
  return ended !== undefined && last !== undefined && isBeginning(last.message) && last.at < ended && !isOver
    ? {
        message: 'The input ended while a turn was running, and the agent exited without sending the result.',
        got: last.message,
      }
    : undefined;
}

const isBeginning = (message: Message) => isInit(message) || message['state'] === 'started';
const isFinal = ({ state }: Message) => state === 'cancelled' || state === 'discarded' || state === 'refused';

function droppedPrompts(session: Session): Broken | undefined {
  const ended = endOfInput(session);
  if (ended === undefined || isResumed(session)) return undefined;
  const done = donePrompts(session);
  const begun = session.received.findLast(({ message, at }) => at < ended && isInit(message))?.at ?? -1;
  const waiting = session.sent.find(
    ({ message, at }) => at < ended && at > begun && isPrompt(message) && !done.has(message['uuid']),
  );
  return waiting && { message: 'A prompt was queued when the input ended, and was not run.', got: waiting.message };
}

type Outcome = 'no-turn' | 'success' | 'error';

/** The case determines whether the first message of a session may end the process. */
function exitCode(session: Session, outcome: Outcome): Broken | undefined {
  if (endOfInput(session) === undefined) return undefined;
  const last = session.received.findLast(({ message }) => message['type'] === 'result')?.message;
  if (session.endExpected && last === undefined) return undefined;
  if (last === undefined && session.sent.some(({ message }) => message['type'] === 'user')) return undefined;
  const isError = last?.['is_error'] === true;
  const expected = isError ? 1 : 0;
  const { code, signal } = session.exit ?? {};
  if ((last === undefined ? 'no-turn' : isError ? 'error' : 'success') !== outcome || code === expected)
    return undefined;
  const why = last === undefined ? 'no prompt was sent' : `is_error of the last result is ${String(isError)}`;
  return {
    message: `The agent exited with ${signal ?? `code ${code}`}, but ${why}: the code must be ${expected}.`,
  };
}

function cutOutput(session: Session): Broken | undefined {
  if (session.signalled || session.unread || session.exit === undefined) return undefined;
  const last = session.events.findLast(({ kind }) => kind === 'received');
  if (last?.kind !== 'received' || !last.line.text.startsWith('{')) return undefined;
  return isObject(last.value)
    ? undefined
    : { message: 'The output of the agent ends in the middle of a message.', got: last.line.text };
}

// A message that was sent within this time before the end of the input counts as sent together with it.
const AT_THE_END_MS = 200;

function unansweredAtTheEnd(session: Session): Broken | undefined {
  const ended = endOfInput(session);
  if (ended === undefined || !session.isComplete) return undefined;
  const answered = new Set(session.received.map(({ message }) => member(message, 'response', 'request_id')));
  const cancelled = new Set(
    session.sent.flatMap(({ message: { type, request_id: id } }) => (type === 'control_cancel_request' ? [id] : [])),
  );
  return firstOf(session.sent, ({ message, at }) => {
    const isLate = at < ended && timeOf(session, ended) - timeOf(session, at) < AT_THE_END_MS;
    const id = message['request_id'];
    if (!isLate || subtypeOf(message) === undefined || id === undefined || answered.has(id)) return undefined;
    return cancelled.has(id)
      ? undefined
      : { message: 'The input ended after a request, and the request was not answered.', got: message };
  });
}
