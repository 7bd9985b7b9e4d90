import type { Step } from '@proto/testkit/steps';

import { oddText } from '../../random/odd-values.ts';
import { oddLine, message } from './messages.ts';
import { question, requestMessage } from './agent-requests.ts';
import { ask, decision, permission, QUESTIONS } from './questions.ts';
import { largeText, type SessionWriter } from './session-writer.ts';
import { callModel, crossingCalls, earlyCalls, interruptHeld, strayAnswer, withdrawnCall } from './user-calls.ts';

export interface Operation {
  readonly weight: number;
  readonly steps: (session: SessionWriter) => readonly Step[];
  /** Whether sessions with these features and options contain the operation. Default: all sessions. */
  readonly isPossible?: (session: SessionWriter) => boolean;
}

const BURSTS = [3, 10, 100, 100, 1000, 5000];
const ECHO = { name: 'echo', inputSchema: {} };

/** Several questions in one write, each with its own decision. */
function questionsAtOnce(session: SessionWriter): readonly Step[] {
  const kind = session.isLucky(0.5) ? ask : session.oneOf(QUESTIONS);
  const asked = Array.from({ length: 2 + session.below(5) }, () => kind(session));
  const messages = asked.map((each) => {
    const say = requestMessage(session, each.request);
    const step = decision(session, each);
    if (step !== undefined) session.undecided.push({ id: say.request_id, step });
    return say;
  });
  return [{ 'say-all': messages }];
}

function mcp(session: SessionWriter): readonly Step[] {
  const server_name = session.oneOf([
    ...(session.start.options?.servers ?? []),
    ...(session.isLucky(0.2) ? ['nowhere'] : []),
  ]);
  if (server_name === undefined) return [];
  const send = (rpc: object) => ({
    say: requestMessage(session, { subtype: 'mcp_message', server_name, message: { jsonrpc: '2.0', ...rpc } }),
  });
  const id = session.oneOf([session.number(), `rpc-${session.number()}`, 0, String(session.number())]);
  const handshake = [
    send({ id, method: 'initialize', params: HANDSHAKE }),
    send({ method: 'notifications/initialized' }),
  ];
  const isFirst = !session.connected.has(server_name);
  session.connected.add(server_name);
  const call = (text: unknown) =>
    send({ id: session.number(), method: 'tools/call', params: { name: ECHO.name, arguments: { text } } });
  const more = session.oneOf([
    () => [call(`text ${session.number()}`), call('')],
    () => [call(oddText(session)), call(oddText(session))],
    () => [call(largeText())],
    () => [send({ id: session.number(), method: 'tools/list' })],
    () => [send({ id: session.number(), method: 'conformance/unknown' })],
    () => [send({ method: 'notifications/cancelled', params: { requestId: 99, reason: 'test' } })],
    () => handshake,
  ])();
  return isFirst ? [...handshake, ...more] : more;
}

/** Handshakes with all servers in one write. The ids of different servers may be the same. */
function serversAtOnce(session: SessionWriter): readonly Step[] {
  const servers = session.start.options?.servers ?? [];
  const id = session.oneOf([0, session.number()]);
  const toEach = (rpc: object) => ({
    'say-all': servers.map((server_name) =>
      requestMessage(session, { subtype: 'mcp_message', server_name, message: { jsonrpc: '2.0', ...rpc } }),
    ),
  });
  for (const server of servers) session.connected.add(server);
  return [toEach({ id, method: 'initialize', params: HANDSHAKE }), toEach({ method: 'notifications/initialized' })];
}

const HANDSHAKE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'agent', version: '1.0.0' },
};

function unknownRequest(session: SessionWriter): readonly Step[] {
  const request = session.oneOf([
    { subtype: 'conformance_probe', value: [null] },
    { subtype: 'set_model', model: 'model-2' },
    { subtype: 'interrupt' },
    { subtype: 'toString' },
    { subtype: '__proto__' },
    { subtype: '' },
  ]);
  return [{ say: requestMessage(session, request) }];
}

/** A request, sometimes. A host that has taken it for a part of the line before it does not answer it. */
function afterALine(session: SessionWriter): readonly Step[] {
  return session.isLucky(0.5) ? unknownRequest(session) : [];
}

/** Many requests in one write. */
function burst(session: SessionWriter, times = session.oneOf(BURSTS)): readonly Step[] {
  const request = { type: 'control_request', request_id: 'burst-${uuid}', request: { subtype: 'conformance_probe' } };
  return [{ 'say-all': { $repeat: [request], times } }];
}

/** The request may be open or answered, known or unknown. */
function cancel(session: SessionWriter): readonly Step[] {
  const open = session.undecided.length > 0 && session.isLucky(0.6) ? session.oneOf(session.undecided) : undefined;
  const past =
    session.requests.length > 0 && session.isLucky(0.7) ? session.oneOf(session.requests) : 'no-such-request';
  const reason = session.isLucky(0.3) ? { reason: 'interrupted', later_member: null } : {};
  const say = { type: 'control_cancel_request', request_id: open?.id ?? past, ...reason };
  // The user never decides, so the host has to withdraw the question.
  if (open !== undefined && session.isLucky(0.7)) session.undecided.splice(session.undecided.indexOf(open), 1);
  return session.isLucky(0.15) ? [{ say }, { say }] : [{ say }];
}

/** The question and its cancel are in the same write. */
function cancelledAtOnce(session: SessionWriter): readonly Step[] {
  const { request } = ask(session);
  const asked = requestMessage(session, request);
  return [{ 'say-all': [asked, { type: 'control_cancel_request', request_id: asked.request_id }] }];
}

/** The agent stops reading while the host has more to write than fits into a pipe. */
function stall(session: SessionWriter): readonly Step[] {
  const [server] = session.connected;
  const large =
    server === undefined || server === 'nowhere'
      ? burst(session, 1000)
      : [
          {
            say: requestMessage(session, {
              subtype: 'mcp_message',
              server_name: server,
              message: {
                jsonrpc: '2.0',
                id: session.number(),
                method: 'tools/call',
                params: { name: ECHO.name, arguments: { text: largeText() } },
              },
            }),
          },
        ];
  return [
    { reads: false },
    ...large,
    ...Array.from({ length: 1 + session.below(5) }, () =>
      session.oneOf([unknownRequest, shortQuestion, cancel])(session),
    ).flat(),
    ...(session.canCall('set_model') && session.isLucky(0.3) ? [callModel(session).call] : []),
    { reads: true },
  ];
}

function callsInARow(session: SessionWriter): readonly Step[] {
  const calls = Array.from({ length: session.oneOf([1, 1, 2, 3, 50]) }, () => callModel(session).call);
  // The user may call a method several times with the same arguments.
  const [{ with: same }] = calls as [(typeof calls)[number]];
  return session.isLucky(0.3) ? calls.map((call) => ({ ...call, with: same })) : calls;
}

/** A question that is small enough to fit into the pipe of a host that is not reading. */
function shortQuestion(session: SessionWriter): readonly Step[] {
  const asked = permission(session);
  return question(session, { ...asked, request: { ...asked.request, input: { command: 'a' } } });
}

function turn(session: SessionWriter): readonly Step[] {
  if (!session.isInTurn) {
    session.isInTurn = true;
    return [{ 'begin-turn': session.oneOf([{}, {}, { permissionMode: 'no-such-mode', later_member: { a: [null] } }]) }];
  }
  if (session.isLucky(0.6) || !session.hasTurn) return message(session);
  return session.endTurn(session.oneOf(RESULTS));
}

/** Turns that fail, one after the other, and then another prompt. */
function failingTurns(session: SessionWriter): readonly Step[] {
  const failed = Array.from({ length: 2 + session.below(2) }, () => {
    const begin = session.isInTurn ? [] : [{ 'begin-turn': {} }];
    return [...begin, ...session.endTurn({ subtype: 'error_during_execution', is_error: true, errors: ['failed'] })];
  });
  return [...failed.flat(), ...session.prompt(), ...session.settle()];
}

/** A turn that the agent has begun itself, and an interrupt of the next turn. */
function turnOfTheAgent(session: SessionWriter): readonly Step[] {
  if (session.isInTurn || !session.canCall('interrupt')) return [];
  session.isInTurn = true;
  return [
    { 'begin-turn': {} },
    ...message(session),
    { 'end-turn': {} },
    ...(session.isLucky(0.5) ? session.prompt() : []),
    { 'begin-turn': {} },
    { call: 'interrupt', as: `call-${session.number()}` },
    ...session.settle(),
  ];
}

const RESULTS: readonly object[] = [
  {},
  {},
  { stop_reason: 'no_such_reason', later_member: [] },
  { subtype: 'error_during_execution', is_error: true, errors: [], terminal_reason: 'aborted_streaming' },
  { subtype: 'error_max_turns', is_error: true, errors: ['too many turns'] },
];

const canAsk = (session: SessionWriter) => session.canAsk;
const canCall = (method: string) => (session: SessionWriter) =>
  session.features.has(method) && session.isOpen && session.canAnswer;
const unless = (isPossible: boolean, steps: () => readonly Step[]) => (isPossible ? steps() : []);

export const OPERATIONS: readonly Operation[] = [
  { weight: 20, steps: turn },
  { weight: 8, steps: message },
  { weight: 7, steps: (session) => [...oddLine(session), ...unless(session.canAsk, () => afterALine(session))] },
  { weight: 12, isPossible: canAsk, steps: (session) => question(session, ask(session)) },
  { weight: 4, isPossible: canAsk, steps: questionsAtOnce },
  {
    weight: 10,
    isPossible: ({ canAnswer }) => canAnswer,
    steps: (session) => session.decideOne(),
  },
  { weight: 7, isPossible: ({ start }) => (start.options?.servers ?? []).length > 0, steps: mcp },
  { weight: 2, isPossible: ({ start }) => (start.options?.servers ?? []).length > 1, steps: serversAtOnce },
  { weight: 4, isPossible: canAsk, steps: unknownRequest },
  { weight: 2, isPossible: canAsk, steps: (session) => burst(session) },
  { weight: 6, isPossible: canAsk, steps: cancel },
  { weight: 2, isPossible: canAsk, steps: cancelledAtOnce },
  { weight: 3, steps: strayAnswer },
  { weight: 2, isPossible: ({ isOpen }) => isOpen, steps: (session) => session.initialize() },
  { weight: 4, isPossible: canCall('open-input'), steps: (session) => session.prompt() },
  { weight: 2, isPossible: canCall('open-input'), steps: failingTurns },
  { weight: 2, isPossible: canCall('interrupt'), steps: turnOfTheAgent },
  {
    weight: 3,
    isPossible: canCall('interrupt'),
    steps: (session) =>
      unless(session.canCall('interrupt'), () => [{ call: 'interrupt', as: `call-${session.number()}` }]),
  },
  {
    weight: 2,
    isPossible: canCall('interrupt'),
    steps: (session) => unless(session.canCall('interrupt'), () => interruptHeld(session)),
  },
  {
    weight: 3,
    isPossible: canCall('set_model'),
    steps: (session) => unless(session.canCall('set_model'), () => callsInARow(session)),
  },
  {
    weight: 4,
    isPossible: canCall('set_model'),
    steps: (session) => unless(session.canCall('set_model'), () => crossingCalls(session)),
  },
  {
    weight: 2,
    isPossible: canCall('withdraw'),
    steps: (session) => unless(session.canCall('set_model'), () => withdrawnCall(session)),
  },
  {
    weight: 2,
    isPossible: ({ canAnswer }) => canAnswer,
    steps: (session) => unless(session.canCallEarly('set_model'), () => earlyCalls(session)),
  },
  { weight: 2, isPossible: ({ isOpen }) => isOpen, steps: stall },
];
