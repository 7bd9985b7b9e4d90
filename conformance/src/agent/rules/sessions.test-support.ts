import type { SessionEvent, SessionLog } from '../session-log.ts';
import { brokenRules } from './index.ts';

const S = { session_id: 's1' };
let uuids = 0;
export const own = () => ({ ...S, uuid: `00000000-0000-4000-8000-${String((uuids += 1)).padStart(12, '0')}` });
export const init = () => ({
  type: 'system',
  subtype: 'init',
  apiKeySource: 'none',
  claude_code_version: '2.1.330',
  cwd: '/',
  tools: [],
  mcp_servers: [],
  model: 'm',
  permissionMode: 'default',
  slash_commands: [],
  output_style: 'default',
  skills: [],
  plugins: [],
  capabilities: ['msg_lifecycle_v1'],
  ...own(),
});
export const assistant = (content: object[] = [{ type: 'text', text: 'hi' }], more: object = {}) => ({
  type: 'assistant',
  message: { id: 'm1', type: 'message', role: 'assistant', model: 'm', content, stop_reason: null, usage: {} },
  parent_tool_use_id: null,
  ...own(),
  ...more,
});
export const user = (content: object[], more: object = {}) => ({
  type: 'user',
  message: {
    role: 'user',
    content,
  },
  parent_tool_use_id: null,
  ...own(),
  ...more,
});
export const result = (more: object = {}) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  duration_ms: 1,
  duration_api_ms: 1,
  num_turns: 1,
  result: 'hi',
  stop_reason: 'end_turn',
  total_cost_usd: 0.5,
  usage: {},
  modelUsage: {},
  permission_denials: [],
  ...own(),
  ...more,
});
export const mirror = { type: 'transcript_mirror', filePath: '/a', entries: [{ type: 'user', uuid: 'e1' }] };
export const call = { type: 'tool_use', id: 't1', name: 'Bash', input: {} };
export const done = { type: 'tool_result', tool_use_id: 't1', content: 'ok' };
export const ask = (id = 'q1', tool = 't1') => ({
  type: 'control_request',
  request_id: id,
  request: {
    subtype: 'can_use_tool',
    tool_name: 'Bash',
    input: {},
    tool_use_id: tool,
  },
});
export const answer = (id: unknown, response: object = { subtype: 'error', error: 'no' }) => ({
  type: 'control_response',
  response: {
    ...response,
    request_id: id,
  },
});
export const state = (uuid: string, name: string) => ({
  type: 'command_lifecycle',
  command_uuid: uuid,
  state: name,
  ...own(),
});
export const delta = (event: object) => ({ type: 'stream_event', event, parent_tool_use_id: null, ...own() });
export const task = (subtype: string, more: object = {}) => ({
  type: 'system',
  subtype,
  task_id: 'k1',
  description: 'd',
  ...own(),
  ...more,
});

/** A number is a time in milliseconds that passes. */
export type Part = object | string | number | { readonly sent: object };

/** A session: texts and objects are lines of the agent, `sent` is a line of the suite. */
export function session(
  parts: readonly Part[],
  more: Partial<SessionLog> & { readonly exit?: number | null } = {},
): SessionLog {
  const { exit = 0, ...rest } = more;
  let t = 0;
  const events = parts.flatMap((part): SessionEvent | [] => {
    if (typeof part === 'number') {
      t += part;
      return [];
    }
    if (typeof part === 'object' && 'sent' in part) return { kind: 'sent', t, text: `${JSON.stringify(part.sent)}\n` };
    const text = typeof part === 'string' ? part : JSON.stringify(part);
    const line = { text, bytes: text.length, ended: true, isUtf8: true };
    return { kind: 'received', t, line, value: typeof part === 'string' ? parse(text) : part };
  });
  if (exit !== null) events.push({ kind: 'input-ended', t }, { kind: 'exited', t, code: exit, signal: null });
  return {
    args: ['--permission-prompt-tool', 'stdio'],
    signalled: false,
    unread: false,
    endExpected: false,
    events,
    ...rest,
  };
}

export function breaks(rule: string, log: SessionLog): boolean {
  return brokenRules(log).some((failure) => failure.rule === rule);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const prompt = { sent: { type: 'user', uuid: 'p1', message: { role: 'user', content: 'hi' } } };
export const asks = { sent: { type: 'control_request', request_id: 'r1', request: { subtype: 'initialize' } } };
export const registers = {
  sent: {
    type: 'control_request',
    request_id: 'r1',
    request: { subtype: 'initialize', hooks: { Stop: [{ hookCallbackIds: ['h1'] }] } },
  },
};
export const calls = (id: string) => ({
  type: 'control_request',
  request_id: 'q1',
  request: { subtype: 'hook_callback', callback_id: id, input: { hook_event_name: 'Stop' } },
});
export const answered = () => result({ user_message_uuids: ['p1'] });
export const same = assistant();
export const later = assistant();
export const partial = [
  delta({ type: 'message_start', message: { id: 'm1' } }),
  delta({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ho' } }),
];
export const event = (type: string, more: object = {}) => delta({ type, ...more });
export const says = (message: object) => ({ sent: message });
export const sets = (subtype: string, more: object) =>
  says({ type: 'control_request', request_id: 'r1', request: { subtype, ...more } });
export const succeeds = (payload: object) => answer('r1', { subtype: 'success', response: payload });
export const denies = says(answer('q1', { subtype: 'success', response: { behavior: 'deny', message: 'Not here.' } }));
export const deniedResult = user([{ ...done, is_error: true, content: 'Not here.' }]);
export const hook = (name: string, more: object = {}) => ({
  type: 'control_request',
  request_id: `q${(uuids += 1)}`,
  request: {
    subtype: 'hook_callback',
    callback_id: 'h1',
    tool_use_id: 't1',
    input: { session_id: 's1', transcript_path: '/a', cwd: '/', hook_event_name: name, tool_name: 'Bash', ...more },
  },
});
export const states = (name: string) => ({ type: 'system', subtype: 'session_state_changed', state: name, ...own() });
export const toServer = (id: string, message: object) => ({
  type: 'control_request',
  request_id: id,
  request: { subtype: 'mcp_message', server_name: 'lab', message: { jsonrpc: '2.0', ...message } },
});
export const ends = (more: object = {}) =>
  task('task_notification', { status: 'completed', output_file: '', summary: '', ...more });
export const reply = (id: string, more: object = {}) => ({
  ...assistant(),
  message: { ...assistant().message, id, ...more },
});
export const begins = (more: object) => ({ ...init(), ...more });
export const used = (tokens: number) => ({
  usage: { input_tokens: tokens, output_tokens: 1 },
  modelUsage: { m: { inputTokens: 3, outputTokens: 1, costUSD: 0.5 } },
});
export const serverCall = { ...call, name: 'mcp__lab__add', input: { a: 1 } };
export const denied = { tool_name: 'Write', tool_use_id: 't1', tool_input: {} };
export const wrongEnd = (parts: readonly Part[], exit: number) => session(parts, { exit });
