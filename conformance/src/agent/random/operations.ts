import type { Step } from '@proto/testkit/steps';

import { answerAll } from './host-answers.ts';
import { messages, type Operation, serversOf } from './host-messages.ts';
import { PERMISSION_OPERATIONS } from './permission-operations.ts';
import { QUEUE_OPERATIONS } from './queue-operations.ts';
import { relatedMessages } from './related-messages.ts';
import { SERVER_OPERATIONS } from './server-operations.ts';
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

/** An interrupt of the turn in which a background task began. */
function interruptedTurnOfATask(session: SessionWriter): readonly Step[] {
  if (session.fact('background-brief') === undefined) return [];
  return [
    { await: 'idle' },
    { serve: answerAll() },
    { say: session.plainPrompt('background-brief') },
    { await: { messages: 8 + session.below(8) }, within: 1000 },
    { say: session.request('interrupt') },
    // The task ends by itself.
    ...(session.isLucky(0.7) ? [{ pause: 1300 }] : []),
    { await: 'idle' },
  ];
}

/** A word that the model learns, and does not know in the next conversation. */
function forgottenWord(session: SessionWriter): readonly Step[] {
  if (session.fact('remembered') === undefined || session.fact('clear') === undefined) return [];
  session.hasRemembered = true;
  return [
    { serve: answerAll() },
    { await: 'idle' },
    ...[session.plainPrompt('remember'), session.plainPrompt('clear')].flatMap((say) => [{ say }, { await: 'idle' }]),
    ...wordUnknown(session, 'TRN-51'),
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

/** A turn that a hook continues, and the turns after it. */
export function continuedTurn(session: SessionWriter): readonly Step[] {
  const hooks = session.isLucky(0.3) ? { PostToolUse: [{ hookCallbackIds: ['after'] }] } : {};
  return [
    ...(session.isLucky(0.7) ? [{ say: session.initialize({ ...hooks, Stop: [{ hookCallbackIds: ['stop'] }] }) }] : []),
    { serve: { 'hook_callback/stop': { decision: 'block', reason: 'Go on.' } } },
    { say: session.prompt('text') },
    { await: { messages: 8 } },
    { serve: { 'hook_callback/stop': {} } },
    ...(session.isLucky(0.5) ? [{ await: 'idle' }] : []),
    { say: session.prompt() },
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

/** The model does not know the word that another conversation contains. */
export function wordUnknown(session: SessionWriter, spec: string): readonly Step[] {
  const prompt = session.plainPrompt('recall');
  const result = {
    type: 'result',
    user_message_uuids: { $contains: prompt.uuid },
    result: { $not: { $contains: session.fact('remembered') } },
  };
  return [{ say: prompt }, { expect: result, spec }];
}

/** Operations whose steps pass whatever the agent does. */
export const OPERATIONS: readonly Operation<readonly Step[]>[] = [
  ...PERMISSION_OPERATIONS,
  ...QUEUE_OPERATIONS,
  ...SERVER_OPERATIONS,
  { weight: 44, of: (session) => sending(messages(session, 1), false) },
  { weight: 8, of: (session) => sending(messages(session, 2 + session.below(5)), true) },
  { weight: 8, of: (session) => session.weighted(UNUSUAL_LINES).of(session) },
  { weight: 3, of: taskStopped },
  { weight: 2, of: interruptedTurnOfATask },
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
  { weight: 14, of: relatedMessages },
  { weight: 2, of: modelsInARow },
  { weight: 1, of: forgottenWord },
  { weight: 1, of: hooksWithoutAnswers },
  { weight: 3, of: continuedTurn },
  // The time limit of a hook passes.
  { weight: 1, of: (session) => (session.hasTimeouts ? [{ pause: 1200 }] : []) },
  {
    weight: 2,
    of: (session) => [
      { 'stop-reading': true, spec: 'FRM-16' },
      ...(session.isLucky(0.3) ? [{ say: session.prompt('big') }] : []),
      ...sending(messages(session, 1 + session.below(6)), session.isLucky(0.3)),
      { pause: 1 + session.below(100) },
      { 'read-again': true },
    ],
  },
];
