import type { Step } from '@proto/testkit/steps';

import {
  ALLOW,
  anotherAnswer,
  answersAtOnce,
  bothAnswers,
  modeOf,
  newAnswer,
  newServerAnswer,
  ruleFor,
} from './host-answers.ts';
import { sending, type SessionWriter } from './session-writer.ts';
import { UNUSUAL_LINES } from './unusual-lines.ts';

interface Operation<Result> {
  readonly weight: number;
  readonly of: (session: SessionWriter) => Result;
}

const BURSTS = [3, 10, 80, 300];

const MESSAGES: readonly Operation<object>[] = [
  { weight: 20, of: (session) => session.prompt() },
  { weight: 3, of: (session) => session.sentPrompt() },
  { weight: 8, of: (session) => session.request('interrupt') },
  { weight: 2, of: (session) => session.request('interrupt', { cancel_queued: true }) },
  { weight: 4, of: (session) => session.request('cancel_async_message', { message_uuid: session.withdrawn() }) },
  { weight: 2, of: (session) => session.withdrawnPrompt() },
  { weight: 5, of: (session) => session.request('set_permission_mode', { mode: modeOf(session) }) },
  { weight: 2, of: (session) => session.request('set_model', session.oneOf(modelsOf(session))) },
  { weight: 2, of: (session) => session.initialize() },
  { weight: 2, of: (session) => session.request('conformance_no_such_request') },
  { weight: 1, of: (session) => session.request('can_use_tool', { tool_name: 'NoSuchTool', input: {} }) },
  { weight: 1, of: (session) => session.request('stop_task', { task_id: 'no-such-task' }) },
  { weight: 1, of: (session) => session.request('get_task_output', { task_id: 'no-such-task' }) },
  { weight: 1, of: (session) => session.request('mcp_status') },
  {
    weight: 1,
    of: (session) => session.request('mcp_toggle', { serverName: 'conformance', enabled: session.isLucky(0.6) }),
  },
  { weight: 1, of: (session) => session.request('mcp_reconnect', { serverName: 'conformance' }) },
  { weight: 1, of: (session) => session.request('mcp_set_servers', { servers: serversOf(session) }) },
  { weight: 1, of: toolsChanged },
  { weight: 2, of: (session) => session.cancel() },
];

function modelsOf(session: SessionWriter): readonly object[] {
  const model = session.fact('other-model');
  return [{ model: 'default' }, { model: null }, {}, ...(model === undefined ? [] : [{ model }, { model }])];
}

function serversOf(session: SessionWriter): object {
  const names = session.oneOf([[], ['conformance'], ['conformance', 'second'], ['second']]);
  return Object.fromEntries(names.map((name) => [name, { type: 'sdk', name }]));
}

function messages(session: SessionWriter, count: number): readonly object[] {
  return Array.from({ length: count }, () => session.weighted(MESSAGES).of(session));
}

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
  ];
}

/** The approval of a question that an interrupt has withdrawn, with a new rule, which must not apply. */
function lateApproval(session: SessionWriter): readonly Step[] {
  const rule = { type: 'addRules', behavior: 'allow', rules: [{ toolName: session.fact('tool-name') }] };
  return [
    { serve: { can_use_tool: null } },
    { say: session.prompt('tool') },
    { await: { request: 'can_use_tool' }, within: 3000 },
    { say: session.request('interrupt') },
    ...(session.isLucky(0.7) ? [{ await: { 'no-request': 'can_use_tool' }, within: 3000 }] : []),
    { 'answer-newest': 'can_use_tool', with: { ...ALLOW, updatedPermissions: [{ ...rule, destination: 'session' }] } },
    { serve: { can_use_tool: ALLOW } },
    { say: session.prompt('tool') },
    { await: 'idle' },
  ];
}

/** Prompts that wait during an open question, and what a host does to the queue: interrupts in a row, or a prompt that is withdrawn and sent again. */
function waitingPrompts(session: SessionWriter): readonly Step[] {
  const waiting = session.prompt('text') as { readonly uuid?: unknown };
  const withdrawal = session.request('cancel_async_message', { message_uuid: waiting.uuid });
  const interrupts = [session.request('interrupt'), session.request('interrupt')];
  return [
    { serve: { can_use_tool: null } },
    { say: session.prompt('tool') },
    { await: { request: 'can_use_tool' }, within: 3000 },
    ...sending([waiting, session.prompt('text')], false),
    ...session.oneOf<readonly Step[]>([
      sending(interrupts, true),
      sending([withdrawal, waiting], session.isLucky(0.5)),
      sending([withdrawal, waiting, ...interrupts], true),
    ]),
    { serve: { can_use_tool: ALLOW } },
    { await: 'idle' },
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

function toolsChanged(session: SessionWriter): object {
  const message = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
  return session.request('mcp_message', { server_name: 'conformance', message });
}

/** Lets the host allow or forbid tools one after the other, and the agent call them again. */
function rulesForSeveralTools(session: SessionWriter): readonly Step[] {
  const tools = [
    { prompt: 'tool', name: session.fact('tool-name') },
    { prompt: 'mcp-tool', name: 'mcp__conformance__add' },
  ].filter(({ prompt }) => session.fact(prompt) !== undefined);
  if (tools.length === 0) return sending(messages(session, 1), false);
  const rounds = Array.from({ length: 2 + session.below(3) }, () => session.oneOf(tools));
  return [
    ...rounds.flatMap(({ prompt, name }) => [
      { serve: { can_use_tool: { ...ALLOW, updatedPermissions: [ruleFor(session, name)] } } },
      { say: session.prompt(prompt) },
      { await: 'idle' },
    ]),
    { serve: { can_use_tool: ALLOW } },
    ...tools.map(({ prompt }) => ({ say: session.prompt(prompt) })),
  ];
}

/** Operations whose steps pass whatever the agent does. */
export const OPERATIONS: readonly Operation<readonly Step[]>[] = [
  { weight: 44, of: (session) => sending(messages(session, 1), false) },
  { weight: 8, of: (session) => sending(messages(session, 2 + session.below(5)), true) },
  {
    weight: 3,
    of: (session) =>
      sending(
        Array.from({ length: session.oneOf(BURSTS) }, () => session.prompt('text')),
        session.isLucky(0.5),
      ),
  },
  { weight: 5, of: (session) => session.weighted(UNUSUAL_LINES).of(session) },
  { weight: 3, of: (session) => [anotherAnswer(session)] },
  { weight: 3, of: rulesForSeveralTools },
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
  { weight: 16, of: (session) => [{ serve: newAnswer(session) }] },
  {
    weight: 4,
    of: (session) => [
      { serve: { can_use_tool: null } },
      { say: session.prompt('tool') },
      { await: { request: 'can_use_tool' }, within: 3000 },
    ],
  },
  {
    weight: 3,
    of: (session) => [
      { serve: { can_use_tool: null, 'hook_callback/permission': null } },
      { say: session.prompt('tool') },
      { await: { request: 'can_use_tool' }, within: 3000 },
      ...bothAnswers(session),
      { serve: { can_use_tool: ALLOW } },
    ],
  },
  {
    weight: 3,
    of: (session) => [
      { serve: { can_use_tool: null } },
      { say: session.prompt('parallel-tools') },
      { await: { request: 'can_use_tool' }, within: 3000 },
      ...(session.isLucky(0.5) ? [{ await: { messages: 4 } }] : []),
      answersAtOnce(session),
      { serve: { can_use_tool: ALLOW } },
    ],
  },
  { weight: 2, of: toolsChangedTwice },
  { weight: 2, of: lateApproval },
  { weight: 3, of: waitingPrompts },
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
