import { member, type Message, type Session } from '../../session-log.ts';
import { onceFor } from '../../../once-for.ts';
import { callResultsOf } from '../moments.ts';
import { firstAfter } from '../../../positions.ts';
import { CallsByInput } from './calls-by-input.ts';
import {
  type Call,
  callsOf,
  decisionsOf,
  effectiveInput,
  endOfInput,
  hasRun,
  isGivenUp,
  isOpenAt,
  resultsOfTurns,
  saidTo,
  wasRefused,
} from '../calls.ts';
import { toolPrefixOf } from '../turns/init-rules.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { answeredId, subtypeOf } from '../timeline.ts';

/** Rules about calls of tools on the host's MCP servers. The suite is the host, so it sees when such a tool runs. */
export const serverCallRules: readonly Rule[] = [
  { name: 'permission/server-waits', spec: 'PRM-5', check: (session) => madeThough(session, isAsked(session)) },
  { name: 'permission/denied-server-call', spec: 'PRM-16', check: (session) => madeThough(session, isDenied) },
  { name: 'permission/failed-server-call', spec: 'PRM-20', check: (session) => madeThough(session, isFailed) },
  { name: 'hook/denied-server-call', spec: 'HOK-13', check: (session) => madeThough(session, isDeniedByHook) },
  { name: 'interrupt/withdrawn-server-call', spec: 'INT-12', check: (session) => madeThough(session, isWithdrawn) },
  { name: 'mcp/called', spec: 'MCP-13', check: unmadeCalls },
  { name: 'mcp/result-waits', spec: 'MCP-33', check: resultsBeforeAnswers },
  { name: 'mcp/late-answer', spec: 'MCP-19', check: resultsOfLateAnswers },
];

/** A `tools/call` with the model's call that caused it. */
interface Made {
  readonly call: Call;
  readonly request: Message;
  readonly at: number;
  readonly answeredAt: number;
}

const madeCalls: (session: Session) => readonly Made[] = onceFor((session) => {
  const calls = new CallsByInput(callsOf(session), (each) => [effectiveInput(each) ?? each.input, each.input]);
  // Only the first answer counts.
  const answers = new Map(session.sent.map(({ message, at }) => [answeredId(message), at] as const).toReversed());
  return session.received.flatMap(({ message, at }) => {
    const rpc = member(message, 'request', 'message');
    if (subtypeOf(message) !== 'mcp_message' || member(rpc, 'method') !== 'tools/call') return [];
    const name = `${toolPrefixOf(member(message, 'request', 'server_name'))}${String(member(rpc, 'params', 'name'))}`;
    const input = member(rpc, 'params', 'arguments') ?? {};
    // Of several equal calls without a result, it is uncertain which one was made.
    const open = calls.openAt(name, input, at, at);
    const call = open.length > 1 ? undefined : (open[0] ?? calls.lastBefore(name, input, at));
    const answeredAt = answers.get(message['request_id']) ?? Infinity;
    return call === undefined ? [] : [{ call, request: message, at, answeredAt }];
  });
});

type Test = (made: Made) => boolean;

function madeThough(session: Session, mayNot: Test): Broken | undefined {
  return firstOf(madeCalls(session), (made) =>
    made.call.races.length === 0 && mayNot(made)
      ? { message: `A call to ${made.call.name} was made, although it was not allowed.`, got: made.request }
      : undefined,
  );
}

function isAsked(session: Session): Test {
  const end = endOfInput(session);
  return ({ call: { question }, at }) => question !== undefined && at < end && isOpenAt(question, at);
}

const isAnswered = ({ call: { question }, at }: Made) => (question?.answeredAt ?? Infinity) < at;
const isDenied: Test = (made) => isAnswered(made) && member(saidTo(made.call.question), 'behavior') === 'deny';
const isFailed: Test = (made) => isAnswered(made) && wasRefused(made.call.question);
const isDeniedByHook: Test = ({ call }) => decisionsOf(call).includes('deny');
const isWithdrawn: Test = ({ call: { question }, at }) =>
  question !== undefined && isGivenUp(question) && (question.cancelledAt ?? Infinity) < at;

function unmadeCalls(session: Session): Broken | undefined {
  const messages = session.received.filter(({ message }) => subtypeOf(message) === 'mcp_message');
  const servers = new Set(messages.map(({ message }) => toolPrefixOf(member(message, 'request', 'server_name'))));
  const made = messages.filter(({ message }) => member(message, 'request', 'message', 'method') === 'tools/call');
  const isServers = (name: string) => [...servers].some((prefix) => name.startsWith(prefix));
  return firstOf(callsOf(session), (call) => {
    const { resultAt = Infinity } = call;
    const isMade = (firstAfter(made, call.at)?.at ?? Infinity) < resultAt;
    return hasRun(call) && isServers(call.name) && !isMade
      ? { message: `A call to ${call.name} has a result, but its server did not get a tools/call.`, got: call.result }
      : undefined;
  });
}

function resultsBeforeAnswers(session: Session): Broken | undefined {
  return firstOf(madeCalls(session), ({ call, at, answeredAt }) => {
    const { resultAt = Infinity } = call;
    return hasRun(call) && at < resultAt && resultAt < answeredAt && resultAt < endOfInput(session)
      ? { message: `A call to ${call.name} has a result, but its server has not answered.`, got: call.result }
      : undefined;
  });
}

/** Finds results of calls that arrived after a server answer that was too late for the turn. */
function resultsOfLateAnswers(session: Session): Broken | undefined {
  const ends = resultsOfTurns(session);
  return firstOf(madeCalls(session), ({ call, answeredAt }) => {
    const isLate = (ends.get(call.turn)?.at ?? Infinity) < answeredAt;
    const further = firstAfter(callResultsOf(session).get(call.id) ?? [], answeredAt);
    return isLate && further !== undefined
      ? {
          message: 'The answer from a server arrived after the turn of its call, but led to a result.',
          got: further.message,
        }
      : undefined;
  });
}
