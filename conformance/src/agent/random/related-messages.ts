import type { Step } from '@proto/testkit/steps';

import { ALLOW, modeOf, newAnswer, newServerAnswer } from './host-answers.ts';
import { modelsOf, serversOf, toolsChanged } from './host-messages.ts';
import type { SessionWriter } from './session-writer.ts';

type Related = (session: SessionWriter) => readonly Step[];

const idle: Related = () => [{ await: 'idle' }];
const some: Related = (session) => [{ await: { messages: 1 + session.below(8) } }];
const allowed: Related = () => [{ serve: { can_use_tool: ALLOW } }];
const interrupt: Related = (session) => [{ say: session.request('interrupt') }];
const status: Related = (session) => [{ say: session.request('mcp_status') }];
const changed: Related = (session) => [{ say: toolsChanged(session) }];
const toggle: Related = (session) => [
  { say: session.request('mcp_toggle', { serverName: 'conformance', enabled: session.isLucky(0.5) }) },
];
const reconnect: Related = (session) => [{ say: session.request('mcp_reconnect', { serverName: 'conformance' }) }];
const servers: Related = (session) => [{ say: session.request('mcp_set_servers', { servers: serversOf(session) }) }];
const mode: Related = (session) => [{ say: session.request('set_permission_mode', { mode: modeOf(session) }) }];
const model: Related = (session) => [{ say: session.request('set_model', session.oneOf(modelsOf(session))) }];
const answer: Related = (session) => [{ serve: newAnswer(session) }];
const stopped: Related = (session) => [
  {
    'say-about-newest': 'task_started',
    with: session.request(session.oneOf(['stop_task', 'get_task_output']), { task_id: '${newest.task_id}' }),
  },
];
const held: Related = (session) => [
  { serve: { can_use_tool: null } },
  { say: session.prompt('tool') },
  { await: { request: 'can_use_tool' }, within: 3000 },
];
const denied: Related = () => [{ serve: { can_use_tool: { behavior: 'deny', message: 'Not this one.' } } }];
/** The host denies a call, and leaves the next question of the turn open. */
const deniedThenHeld: Related = (session) => [
  ...denied(session),
  { say: session.prompt('two-tools') },
  { await: { request: 'can_use_tool' }, within: 3000 },
  { serve: { can_use_tool: null } },
  { await: { request: 'can_use_tool' }, within: 1000 },
];
const again: Related = (session) => [{ say: session.sentPrompt() }];
const withdrawal: Related = (session) => [
  { say: session.request('cancel_async_message', { message_uuid: session.withdrawn() }) },
];
const interruptAll: Related = (session) => [{ say: session.request('interrupt', { cancel_queued: true }) }];
const initialize: Related = (session) => [{ say: session.initialize() }];
const prompt =
  (...names: readonly string[]): Related =>
  (session) => [{ say: session.prompt(session.oneOf(names)) }];

const SUBJECTS: readonly (readonly Related[])[] = [
  [toggle, reconnect, servers, changed, status, status, (session) => [newServerAnswer(session)], prompt('mcp-tool')],
  [initialize, answer, answer, prompt('tool', 'failing-tool'), prompt('text', 'clear'), idle],
  [prompt('background'), prompt('background', 'brief'), stopped, stopped, interrupt, some, idle],
  [prompt('clear', 'compact'), prompt('text', 'fail-api', 'fail-execution'), prompt('tool'), interrupt, some, idle],
  [mode, mode, prompt('tool', 'mcp-tool'), answer, initialize, idle],
  [held, prompt('text'), prompt('text', 'tool'), model, model, mode, allowed, interrupt, idle],
  [prompt('tool', 'subagent'), prompt('tool', 'think', 'unicode'), allowed, interrupt, some, idle],
  [held, prompt('text'), prompt('text'), again, again, withdrawal, interruptAll, allowed],
  [denied, deniedThenHeld, prompt('two-tools', 'parallel-tools'), prompt('tool'), allowed, interrupt, some],
];

/** What may come between any two messages of a subject. */
const BETWEEN: readonly Related[] = [
  interrupt,
  interruptAll,
  prompt('clear'),
  prompt('compact', 'fail-api', 'fail-execution'),
  initialize,
  again,
  some,
  idle,
];

/** Messages about one subject, one after the other. A fault of what an agent keeps from one to the next shows only in such a row. */
export function relatedMessages(session: SessionWriter): readonly Step[] {
  const subject = session.oneOf(SUBJECTS);
  const row = Array.from({ length: 4 + session.below(8) }, () =>
    session.oneOf(session.isLucky(0.3) ? BETWEEN : subject)(session),
  );
  return [...row.flat(), { serve: { can_use_tool: ALLOW } }, ...idle(session), ...status(session)];
}
