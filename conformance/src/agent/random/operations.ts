import type { Step } from '@proto/testkit/steps';

import { ALLOW, answerAll, newServerAnswer, SERVER_ANSWER } from './host-answers.ts';
import { messages, type Operation, serversOf, toolsChanged } from './host-messages.ts';
import { PERMISSION_OPERATIONS } from './permission-operations.ts';
import { QUEUE_OPERATIONS } from './queue-operations.ts';
import { sending, type SessionWriter } from './session-writer.ts';
import { UNUSUAL_LINES } from './unusual-lines.ts';

/** A background task that the host stops, or whose output it requests, at any time, even after the task has ended. */
function taskStopped(session: SessionWriter): readonly Step[] {
  const task_id = '${newest.task_id}';
  const about = () => ({
    'say-about-newest': session.oneOf(['task_started', 'task_started', 'task_notification']),
    with: session.request(session.oneOf(['stop_task', 'stop_task', 'get_task_output']), { task_id }),
  });
  return [
    { say: session.prompt('background') },
    { await: session.oneOf(['idle', { messages: 1 + session.below(12) }]) },
    ...Array.from({ length: 1 + session.below(2) }, about),
    // The task would have ended by itself.
    ...(session.isLucky(0.3) ? [{ pause: 1300 }] : []),
  ];
}

/** A server whose tools change again before the agent has read the first change. */
function toolsChangedTwice(session: SessionWriter): readonly Step[] {
  if (!session.hasServers) return sending(messages(session, 1), false);
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

/** A word that the model learns, and does not know in the next conversation. */
function forgottenWord(session: SessionWriter): readonly Step[] {
  const word = session.fact('remembered');
  if (word === undefined || session.fact('clear') === undefined) return [];
  const prompt = session.plainPrompt('recall');
  const result = {
    type: 'result',
    user_message_uuids: { $contains: prompt.uuid },
    result: { $not: { $contains: word } },
  };
  return [
    { serve: answerAll() },
    { await: 'idle' },
    ...[session.plainPrompt('remember'), session.plainPrompt('clear')].flatMap((say) => [{ say }, { await: 'idle' }]),
    { say: prompt },
    { expect: result, spec: 'TRN-51' },
  ];
}

/** Calls of a server at the same time, whose answers arrive in another order. */
function serverCallsAtOnce(session: SessionWriter): readonly Step[] {
  if (!session.hasServers) return [];
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

/** Changes of the model in a row, the last of which sets the model of the start. */
function modelsInARow(session: SessionWriter): readonly Step[] {
  const model = session.fact('other-model');
  if (model === undefined) return sending(messages(session, 1), false);
  const changes = [{ model }, session.oneOf([{ model }, { model: 'default' }]), session.oneOf([{ model: null }, {}])];
  return [
    { await: 'idle' },
    { say: session.prompt('text') },
    { await: 'idle' },
    ...sending(
      changes.map((change) => session.request('set_model', change)),
      session.isLucky(0.5),
    ),
    { say: session.prompt('text') },
    { await: 'idle' },
  ];
}

/** Hooks of one matcher with a time limit, all of which do not answer. */
function hooksWithoutAnswers(session: SessionWriter): readonly Step[] {
  return [
    { await: 'idle' },
    { say: session.initialize({ PreToolUse: [{ hookCallbackIds: ['before', 'before-too'], timeout: 1 }] }) },
    { serve: { 'hook_callback/before': null, 'hook_callback/before-too': session.oneOf([null, {}]) } },
    { say: session.prompt('tool') },
    { await: { request: 'hook_callback' }, within: 3000 },
    { await: { 'no-request': 'hook_callback' }, within: 3500 },
    { serve: { 'hook_callback/before': {}, 'hook_callback/before-too': {} } },
    { await: 'idle' },
  ];
}

/** Operations whose steps pass whatever the agent does. */
export const OPERATIONS: readonly Operation<readonly Step[]>[] = [
  ...PERMISSION_OPERATIONS,
  ...QUEUE_OPERATIONS,
  { weight: 44, of: (session) => sending(messages(session, 1), false) },
  { weight: 8, of: (session) => sending(messages(session, 2 + session.below(5)), true) },
  { weight: 5, of: (session) => session.weighted(UNUSUAL_LINES).of(session) },
  { weight: 3, of: taskStopped },
  {
    weight: 2,
    of: (session) => [
      { say: session.prompt() },
      { await: { messages: 1 + session.below(8) } },
      { say: session.request('mcp_set_servers', { servers: serversOf(session) }) },
      { say: session.request('mcp_status') },
    ],
  },
  { weight: 14, of: (session) => [{ await: { messages: 1 + session.below(10) } }] },
  { weight: 5, of: () => [{ await: 'idle' }] },
  { weight: 5, of: () => [{ await: { request: 'can_use_tool' }, within: 3000 }] },
  { weight: 2, of: () => [{ await: { request: 'hook_callback' }, within: 3000 }] },
  { weight: 2, of: toolsChangedTwice },
  { weight: 2, of: modelsInARow },
  { weight: 1, of: forgottenWord },
  { weight: 2, of: serverCallsAtOnce },
  { weight: 1, of: hooksWithoutAnswers },
  {
    weight: 2,
    of: (session) => [
      { serve: { 'hook_callback/stop': { decision: 'block', reason: 'Go on.' } } },
      { say: session.prompt('text') },
      { await: { messages: 8 } },
      { serve: { 'hook_callback/stop': {} } },
    ],
  },
  // The time limit of a hook passes.
  { weight: 1, of: (session) => (session.hasTimeouts ? [{ pause: 1200 }] : []) },
  {
    weight: 2,
    of: (session) => [
      { 'stop-reading': true },
      ...(session.isLucky(0.3) ? [{ say: session.prompt('big') }] : []),
      ...sending(messages(session, 1 + session.below(6)), session.isLucky(0.3)),
      { pause: 1 + session.below(100) },
      { 'read-again': true },
    ],
  },
];
