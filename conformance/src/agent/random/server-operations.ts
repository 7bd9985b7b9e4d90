import type { Step } from '@proto/testkit/steps';

import { ALLOW, newServerAnswer, SERVER_ANSWER } from './host-answers.ts';
import { messages, type Operation, toolsChanged } from './host-messages.ts';
import { sending, type SessionWriter } from './session-writer.ts';

const SERVERS = ['conformance', 'second'];
const USER_ANSWERS: readonly unknown[] = [
  { action: 'accept', content: { name: 'Ada', count: 0, sure: false, text: '' } },
  { action: 'accept', content: { name: '\u{1F600}' } },
  { action: 'decline' },
  { action: 'cancel' },
  { $error: 'Nobody can be asked.' },
];

/** A server whose tools change again before the agent has read the first change. */
function toolsChangedTwice(session: SessionWriter): readonly Step[] {
  return [
    { serve: { mcp_message: null } },
    { say: toolsChanged(session) },
    { await: { request: 'mcp_message' }, within: 3000 },
    { say: toolsChanged(session) },
    newServerAnswer(session),
    { await: 'idle' },
    { say: session.prompt() },
  ];
}

/** Calls of a server at the same time, whose answers arrive in another order. */
function serverCallsAtOnce(session: SessionWriter): readonly Step[] {
  return [
    { await: 'idle' },
    { serve: { mcp_message: null, can_use_tool: ALLOW } },
    { say: session.prompt('parallel-mcp-tools') },
    { await: { request: 'mcp_message' }, within: 3000 },
    { await: { messages: 2 }, within: 500 },
    { 'answer-open': 'mcp_message', with: [SERVER_ANSWER] },
    newServerAnswer(session),
    { await: 'idle' },
  ];
}

/** Questions of servers to the user, several of which may be open. */
function questionsOfServers(session: SessionWriter): readonly Step[] {
  // Each server chooses its ids, so both servers may use one id.
  const ids = [session.newId(), Number(session.newId().slice(-6))];
  const questions = Array.from({ length: 1 + session.below(3) }, (_, at) => {
    const params = { message: `Question ${session.newId()}?`, requestedSchema: { type: 'object', properties: {} } };
    const [server_name, id] = [SERVERS[at % 2], ids[Math.floor(at / 2)]];
    return session.request('mcp_message', {
      server_name,
      message: { jsonrpc: '2.0', id, method: 'elicitation/create', params },
    });
  });
  const answers = session.shuffled(USER_ANSWERS).filter((answer) => !Object.hasOwn(answer as object, '$error'));
  return [
    { await: 'idle' },
    { serve: { elicitation: session.isLucky(0.6) ? null : session.oneOf(USER_ANSWERS), mcp_message: SERVER_ANSWER } },
    ...sending(questions, session.isLucky(0.5)),
    { await: { messages: 1 + questions.length }, within: 1000 },
    ...(session.isLucky(0.2) ? [{ say: session.request('interrupt') }] : []),
    { 'answer-open': 'elicitation', with: answers },
    { serve: { elicitation: { action: 'cancel' } } },
    { await: 'idle' },
  ];
}

export const SERVER_OPERATIONS: readonly Operation<readonly Step[]>[] = [
  { weight: 2, of: toolsChangedTwice },
  { weight: 2, of: serverCallsAtOnce },
  { weight: 2, of: questionsOfServers },
].map(({ weight, of }) => ({
  weight,
  of: (session) => (session.hasServers ? of(session) : sending(messages(session, 1), false)),
}));
