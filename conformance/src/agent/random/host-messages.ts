import { modeOf } from './host-answers.ts';
import type { SessionWriter } from './session-writer.ts';

export interface Operation<Result> {
  readonly weight: number;
  readonly of: (session: SessionWriter) => Result;
}

/** The messages that a host may send at any time. */
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

export function modelsOf(session: SessionWriter): readonly object[] {
  const model = session.fact('other-model');
  return [{ model: 'default' }, { model: null }, {}, ...(model === undefined ? [] : [{ model }, { model }])];
}

export function serversOf(session: SessionWriter): object {
  const names = session.oneOf([[], ['conformance'], ['conformance', 'second'], ['second']]);
  return Object.fromEntries(names.map((name) => [name, { type: 'sdk', name }]));
}

export function toolsChanged(session: SessionWriter): object {
  const message = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
  return session.request('mcp_message', { server_name: 'conformance', message });
}

export function messages(session: SessionWriter, count: number): readonly object[] {
  return Array.from({ length: count }, () => session.weighted(MESSAGES).of(session));
}
