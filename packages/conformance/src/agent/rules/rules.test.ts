import { describe, expect, test } from 'vitest';

import type { SessionEvent, SessionLog } from '../session-log.ts';
import { brokenRules, rules } from './index.ts';

const S = { session_id: 's1' };
let uuids = 0;
const own = () => ({ ...S, uuid: `00000000-0000-4000-8000-${String((uuids += 1)).padStart(12, '0')}` });
const init = () => ({
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
const assistant = (content: object[] = [{ type: 'text', text: 'hi' }], more: object = {}) => ({
  type: 'assistant',
  message: { id: 'm1', type: 'message', role: 'assistant', model: 'm', content, stop_reason: null, usage: {} },
  parent_tool_use_id: null,
  ...own(),
  ...more,
});
const user = (content: object[], more: object = {}) => ({
  type: 'user',
  message: {
    role: 'user',
    content,
  },
  parent_tool_use_id: null,
  ...own(),
  ...more,
});
const result = (more: object = {}) => ({
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
const mirror = { type: 'transcript_mirror', filePath: '/a', entries: [{ type: 'user', uuid: 'e1' }] };
const call = { type: 'tool_use', id: 't1', name: 'Bash', input: {} };
const done = { type: 'tool_result', tool_use_id: 't1', content: 'ok' };
const ask = (id = 'q1', tool = 't1') => ({
  type: 'control_request',
  request_id: id,
  request: {
    subtype: 'can_use_tool',
    tool_name: 'Bash',
    input: {},
    tool_use_id: tool,
  },
});
const answer = (id: unknown, response: object = { subtype: 'error', error: 'no' }) => ({
  type: 'control_response',
  response: {
    ...response,
    request_id: id,
  },
});
const state = (uuid: string, name: string) => ({
  type: 'command_lifecycle',
  command_uuid: uuid,
  state: name,
  ...own(),
});
const delta = (event: object) => ({ type: 'stream_event', event, parent_tool_use_id: null, ...own() });
const task = (subtype: string, more: object = {}) => ({
  type: 'system',
  subtype,
  task_id: 'k1',
  description: 'd',
  ...own(),
  ...more,
});

type Part = object | string | { readonly sent: object };

/** A session: texts and objects are lines of the agent, `sent` is ours. */
function session(
  parts: readonly Part[],
  more: Partial<SessionLog> & { readonly exit?: number | null } = {},
): SessionLog {
  const { exit = 0, ...rest } = more;
  const events = parts.map((part): SessionEvent => {
    if (typeof part === 'object' && 'sent' in part)
      return { kind: 'sent', t: 0, text: `${JSON.stringify(part.sent)}\n` };
    const text = typeof part === 'string' ? part : JSON.stringify(part);
    const line = { text, bytes: text.length, ended: true, isUtf8: true };
    return { kind: 'received', t: 0, line, value: typeof part === 'string' ? parse(text) : part };
  });
  if (exit !== null) events.push({ kind: 'input-ended', t: 0 }, { kind: 'exited', t: 0, code: exit, signal: null });
  return {
    args: ['--permission-prompt-tool', 'stdio'],
    signalled: false,
    unread: false,
    endExpected: false,
    events,
    ...rest,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const prompt = { sent: { type: 'user', uuid: 'p1', message: { role: 'user', content: 'hi' } } };
const asks = { sent: { type: 'control_request', request_id: 'r1', request: { subtype: 'initialize' } } };
const registers = {
  sent: {
    type: 'control_request',
    request_id: 'r1',
    request: { subtype: 'initialize', hooks: { Stop: [{ hookCallbackIds: ['h1'] }] } },
  },
};
const calls = (id: string) => ({
  type: 'control_request',
  request_id: 'q1',
  request: { subtype: 'hook_callback', callback_id: id, input: { hook_event_name: 'Stop' } },
});
const answered = () => result({ user_message_uuids: ['p1'] });
const same = assistant();
const later = assistant();
const partial = [
  delta({ type: 'message_start', message: { id: 'm1' } }),
  delta({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ho' } }),
];
const event = (type: string, more: object = {}) => delta({ type, ...more });
const says = (message: object) => ({ sent: message });
const sets = (subtype: string, more: object) =>
  says({ type: 'control_request', request_id: 'r1', request: { subtype, ...more } });
const succeeds = (payload: object) => answer('r1', { subtype: 'success', response: payload });
const denies = says(answer('q1', { subtype: 'success', response: { behavior: 'deny', message: 'Not here.' } }));
const told = user([{ ...done, is_error: true, content: 'Not here.' }]);
const hook = (name: string, more: object = {}) => ({
  type: 'control_request',
  request_id: `q${(uuids += 1)}`,
  request: {
    subtype: 'hook_callback',
    callback_id: 'h1',
    tool_use_id: 't1',
    input: { session_id: 's1', transcript_path: '/a', cwd: '/', hook_event_name: name, tool_name: 'Bash', ...more },
  },
});
const states = (name: string) => ({ type: 'system', subtype: 'session_state_changed', state: name, ...own() });
const toServer = (id: string, message: object) => ({
  type: 'control_request',
  request_id: id,
  request: { subtype: 'mcp_message', server_name: 'lab', message: { jsonrpc: '2.0', ...message } },
});
const ends = (more: object = {}) =>
  task('task_notification', { status: 'completed', output_file: '', summary: '', ...more });
/** A reply with some members of its `message`. */
const reply = (id: string, more: object = {}) => ({ ...assistant(), message: { ...assistant().message, id, ...more } });
/** A `system/init` with other members. */
const begins = (more: object) => ({ ...init(), ...more });
const used = (tokens: number) => ({
  usage: { input_tokens: tokens, output_tokens: 1 },
  modelUsage: { m: { inputTokens: 3, outputTokens: 1, costUSD: 0.5 } },
});
const serverCall = { ...call, name: 'mcp__lab__add', input: { a: 1 } };
const denied = { tool_name: 'Write', tool_use_id: 't1', tool_input: {} };
const wrongEnd = (parts: readonly Part[], exit: number) => session(parts, { exit });

/** For each rule, a session that breaks it. */
const broken: Readonly<Record<string, SessionLog>> = {
  'framing/only-the-protocol': session(['loading', init()]),
  'framing/objects': session(['[1]']),
  'framing/line-feed': unended(),
  'framing/no-carriage-return': session(['{"type":"keep_alive"}\r']),
  'framing/utf-8': notUtf8(),
  'framing/escaped-separators': session([`{"type":"keep_alive","a":"\u2028"}`]),
  'framing/length': session([`{"type":"keep_alive","a":"${'x'.repeat(1_048_576)}"}`]),
  'wire/type': session([{ ...own() }]),
  'wire/schema-valid': session([init(), { ...result(), usage: undefined }]),
  'wire/optional-members': session([init(), result({ modelUsage: { m: { inputTokens: '1' } } })]),
  'wire/uuid': session([init(), { ...result(), uuid: undefined }]),
  'wire/session-id': session([init(), { ...result(), session_id: undefined }]),
  'wire/unique-uuid': session([init(), same, same, result()]),
  'wire/one-session': session([init(), result({ session_id: 's2' })]),
  'result/error-flag': session([init(), result({ subtype: 'error_max_turns', errors: [] })]),
  'result/index': session([init(), result({ result_index: 1 })]),
  'result/costs': session([init(), result(), init(), result({ total_cost_usd: 0.1 })]),
  'partial/only-with-flag': session([init(), ...partial, assistant([{ type: 'text', text: 'ho' }]), result()]),
  'mirror/only-with-flag': session([{ type: 'transcript_mirror', filePath: '/a', entries: [] }]),
  'mirror/once': session([mirror, mirror], { args: ['--session-mirror'] }),
  'suggestions/only-on-request': session([{ type: 'prompt_suggestion', suggestion: 'a', ...own() }]),
  'request/form': session([{ type: 'control_request', request: { subtype: 'can_use_tool' } }]),
  'response/form': session([asks, { type: 'control_response', response: { request_id: 'r1' } }]),
  'response/known-id': session([asks, answer('r2')]),
  'response/once': session([asks, answer('r1'), answer('r1')]),
  'response/always': session([asks]),
  'response/payload': session([asks, answer('r1', { subtype: 'success', response: { commands: 1 } })]),
  'response/optional-members': session([
    { sent: { type: 'control_request', request_id: 'r1', request: { subtype: 'interrupt' } } },
    answer('r1', { subtype: 'success', response: { still_queued: 1 } }),
  ]),
  'request/unique-id': session([init(), assistant([call]), ask(), ask()]),
  'permission/only-with-flag': session([init(), assistant([call]), ask()], { args: [] }),
  'permission/known-call': session([init(), assistant([call]), ask('q1', 't2')]),
  'turn/init-first': session([prompt, assistant(), init(), result()]),
  'turn/one-result': session([init(), result(), result()]),
  'turn/nothing-after-result': session([init(), result(), assistant()]),
  'turn/has-result': session([init(), assistant()]),
  'tool/result-before-turn-ends': session([init(), assistant([call]), result()]),
  'tool/known-call': session([init(), user([done]), result()]),
  'tool/one-result': session([init(), assistant([call]), user([done]), user([done]), result()]),
  'tool/known-parent': session([init(), assistant([], { parent_tool_use_id: 't9' }), result()]),
  'tool/waits-for-subagent': session([
    init(),
    assistant([{ ...call, name: 'Task' }]),
    task('task_started', { tool_use_id: 't1', task_type: 'local_agent' }),
    { ...assistant(), message: { ...assistant().message, id: 'm2' } },
    user([done]),
    result(),
  ]),
  'tool/not-while-asked': session([init(), assistant([call]), ask(), user([done]), result()]),
  'echo/only-with-flag': session([prompt, init(), user([], { uuid: 'p1', isReplay: true }), result()]),
  'state/idle-at-the-end': session([{ type: 'system', subtype: 'session_state_changed', state: 'running', ...own() }]),
  'lifecycle/known-prompt': session([prompt, state('p2', 'queued')]),
  'lifecycle/queued-first': session([prompt, init(), state('p1', 'started'), result()]),
  'lifecycle/final-state': session([prompt, state('p1', 'queued'), state('p1', 'started'), init(), result()]),
  'partial/whole-block': session([init(), ...partial, assistant(), result()]),
  'task/started-first': session([init(), task('task_updated'), result()]),
  'result/known-prompts': session([prompt, init(), result({ user_message_uuids: ['p2'] })]),
  'result/prompt-once': session([prompt, init(), answered(), init(), answered()]),
  'result/denied-calls': session([init(), result({ permission_denials: [{ tool_name: 'Bash', tool_use_id: 't1' }] })]),
  'result/last-text': session([init(), assistant(), result({ result: 'ho' })]),
  'hook/registered': session([registers, answer('r1'), calls('h2')]),
  'cancel/own-request': session([{ type: 'control_cancel_request', request_id: 'q9' }]),
  'mirror/order': session([init(), same, later, { ...mirror, entries: [later, same] }, result()]),
  'echo/once': session([prompt, init(), ...[0, 1].map(() => user([], { uuid: 'p1', isReplay: true })), result()]),
  'lifecycle/after-result': session([prompt, state('p1', 'queued'), init(), state('p1', 'completed'), answered()]),
  'partial/order': session([
    init(),
    event('message_start', { message: { id: 'm1' } }),
    event('message_start'),
    result(),
  ]),
  'partial/input': session([
    init(),
    event('message_start', { message: { id: 'm1' } }),
    event('content_block_start', { index: 0, content_block: { ...call, input: {} } }),
    event('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json: '{"a":1}' } }),
    assistant([{ ...call, input: { a: 2 } }]),
    result(),
  ]),
  'partial/every-reply': session([init(), event('message_start', { message: { id: 'm9' } }), assistant(), result()], {
    args: ['--include-partial-messages'],
  }),
  'setting/model': session([sets('set_model', { model: 'm2' }), succeeds({}), prompt, init(), answered()]),
  'setting/mode': session([
    sets('set_permission_mode', { mode: 'plan' }),
    succeeds({ mode: 'plan' }),
    prompt,
    init(),
    answered(),
  ]),
  'setting/mode-reported': session([sets('set_permission_mode', { mode: 'plan' }), succeeds({ mode: 'plan' })]),
  'interrupt/ends-the-turn': session([
    prompt,
    init(),
    sets('interrupt', {}),
    succeeds({ still_queued: [] }),
    answered(),
  ]),
  'tool/unique-call': session([init(), assistant([call]), user([done]), assistant([call]), result()]),
  'reply/one-id': session([
    init(),
    assistant([call]),
    { ...assistant([{ ...call, id: 't2' }]), message: { ...assistant([{ ...call, id: 't2' }]).message, id: 'm2' } },
    user([done]),
    result(),
  ]),
  'tool/same-parent': session([init(), assistant([call]), user([done], { parent_tool_use_id: 't1' }), result()]),
  'permission/same-call': session([init(), assistant([{ ...call, input: { a: 1 } }]), ask(), denies, told, result()]),
  'permission/asked-once': session([init(), assistant([call]), ask(), denies, ask('q2'), told, result()]),
  'permission/none-left-open': session([init(), assistant([call]), ask(), user([done]), result()]),
  'cancel/open-request': session([
    init(),
    assistant([call]),
    ask(),
    denies,
    { type: 'control_cancel_request', request_id: 'q1' },
    told,
    result(),
  ]),
  'permission/denial-is-listed': session([init(), assistant([call]), ask(), denies, told, result()]),
  'permission/denial-is-told': session([init(), assistant([call]), ask(), denies, user([done]), result()]),
  'hook/denial-is-listed': session([
    init(),
    assistant([call]),
    { ...hook('PreToolUse', { tool_input: {} }), request_id: 'q1' },
    says(
      answer('q1', {
        subtype: 'success',
        response: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } },
      }),
    ),
    user([{ ...done, is_error: true }]),
    result(),
  ]),
  'hook/called-once': session([
    init(),
    assistant([call]),
    hook('PreToolUse'),
    hook('PreToolUse'),
    user([done]),
    result(),
  ]),
  'hook/input': session([init(), assistant([call]), hook('PreToolUse', { cwd: undefined }), user([done]), result()]),
  'turn/one-init': session([init(), init(), result()]),
  'prompt/answered': session([prompt, state('p1', 'queued'), init(), result()]),
  'result/started-prompts': session([prompt, state('p1', 'queued'), state('p1', 'started'), init(), result()]),
  'lifecycle/once': session([prompt, state('p1', 'queued'), state('p1', 'queued'), init(), answered()]),
  'echo/always': session([prompt, init(), answered()], { args: ['--replay-user-messages'] }),
  'echo/content': session([
    prompt,
    init(),
    user([{ type: 'text', text: 'ho' }], { uuid: 'p1', isReplay: true }),
    answered(),
  ]),
  'state/idle-within-a-turn': session([init(), states('idle'), result()]),
  'state/running-again': session([init(), states('requires_action'), result(), states('idle')]),
  'task/one-start': session([init(), task('task_started'), task('task_started'), ends(), result()]),
  'task/one-end': session([init(), task('task_started'), ends(), ends(), result()]),
  'task/list-of-the-running': session([
    init(),
    task('task_started'),
    ends(),
    { type: 'system', subtype: 'background_tasks_changed', tasks: [{ task_id: 'k1' }], ...own() },
    result(),
  ]),
  'mcp/json-rpc': session([toServer('q1', { id: 1, method: 'notifications/initialized' })]),
  'mcp/cancels-open-call': session([
    toServer('q1', { id: 1, method: 'tools/call' }),
    says(answer('q1', { subtype: 'success', response: {} })),
    toServer('q2', { method: 'notifications/cancelled', params: { requestId: 1 } }),
  ]),
  'result/usage-of-the-turn': session([init(), result(used(6))]),
  'result/costs-of-models': session([init(), result({ ...used(3), total_cost_usd: 0.1 })]),
  'result/error-of-the-api': session([init(), assistant(), result({ is_error: true })]),
  'result/stop-reason': session([
    init(),
    event('message_delta', { delta: { stop_reason: 'max_tokens' } }),
    assistant(),
    result(),
  ]),
  'reply/unique-id': session([init(), assistant([call]), user([done]), assistant(), result()]),
  'reply/present-model': session([begins({ model: 'm' }), result(), begins({ model: 'm2' }), reply('m2'), result()]),
  'reply/no-stop-reason': session([init(), reply('m1', { stop_reason: 'end_turn' }), result()]),
  'init/same': session([init(), result(), begins({ cwd: '/a' }), result()]),
  'init/tools-once': session([begins({ tools: ['Bash', 'Bash'] }), result()]),
  'init/servers-once': session([begins({ mcp_servers: Array(2).fill({ name: 'a', status: 'connected' }) }), result()]),
  'init/tools-of-servers': session([
    begins({ tools: ['mcp__a__b'], mcp_servers: [{ name: 'a', status: 'failed' }] }),
    result(),
  ]),
  'state/running-in-a-turn': session([states('running'), init(), result(), states('idle'), init(), result()]),
  'reset/old-session': session([
    init(),
    result(),
    { type: 'conversation_reset', new_conversation_id: 'c', trigger: 'clear', ...own(), session_id: 's2' },
  ]),
  'denial/same-call': session([init(), assistant([call]), user([done]), result({ permission_denials: [denied] })]),
  'denial/told-call': session([
    init(),
    assistant([call]),
    { type: 'system', subtype: 'permission_denied', tool_name: 'Write', tool_use_id: 't1', ...own() },
  ]),
  'hook/same-input': session([init(), assistant([call]), hook('PreToolUse', { tool_input: { a: 1 } })]),
  'hook/same-session': session([init(), assistant([call]), hook('PreToolUse', { tool_input: {}, cwd: '/a' })]),
  'hook/known-call': session([init(), hook('PreToolUse', { tool_input: {} })]),
  'mcp/same-call': session([
    init(),
    assistant([serverCall]),
    toServer('q1', { id: 1, method: 'tools/call', params: { name: 'add', arguments: { a: 2 } } }),
  ]),
  'task/same-call': session([
    init(),
    assistant([call]),
    task('task_started', { tool_use_id: 't1' }),
    ends({ tool_use_id: 't2' }),
  ]),
  'request/never-again': session([init(), assistant([call]), ask(), denies, told, hook('PreToolUse'), ask('q1')]),
  'setting/mode-answered': session([sets('set_permission_mode', { mode: 'plan' }), succeeds({ mode: 'default' })]),
  'interrupt/still-queued': session([
    prompt,
    state('p1', 'queued'),
    state('p1', 'started'),
    init(),
    sets('interrupt', {}),
    succeeds({ still_queued: ['p1'] }),
  ]),
  'lifecycle/over': session([
    prompt,
    state('p1', 'queued'),
    init(),
    answered(),
    state('p1', 'completed'),
    state('p1', 'queued'),
  ]),
  'hook/denial-is-told': session([
    init(),
    assistant([call]),
    { ...hook('PreToolUse', { tool_input: {} }), request_id: 'q1' },
    says(
      answer('q1', {
        subtype: 'success',
        response: {
          hookSpecificOutput: {
            hookEventName: 'PreToolUse',
            permissionDecision: 'deny',
            permissionDecisionReason: 'Not here.',
          },
        },
      }),
    ),
    user([{ ...done, is_error: true }]),
  ]),
  'process/stays': early(),
  'process/exit-code': wrongEnd([init(), result()], 1),
  'process/error-exit-code': wrongEnd([init(), result({ is_error: true })], 0),
};

function unended(): SessionLog {
  const line = { text: '{"type":"keep_alive"}', bytes: 21, ended: false, isUtf8: true };
  return { ...session([]), events: [{ kind: 'received', t: 0, line, value: { type: 'keep_alive' } }] };
}

function notUtf8(): SessionLog {
  const line = { text: '{"type":"keep_alive"}', bytes: 21, ended: true, isUtf8: false };
  return { ...session([]), events: [{ kind: 'received', t: 0, line, value: { type: 'keep_alive' } }] };
}

function early(): SessionLog {
  const { events, ...rest } = session([init(), result()], { exit: null });
  return { ...rest, events: [...events, { kind: 'exited', t: 1, code: 0, signal: null }] };
}

describe('rules', () => {
  test.each(rules.map(({ name }) => name))('%s is broken by a session', (name) => {
    const log = broken[name];
    expect(log).toBeDefined();
    if (log !== undefined) expect(brokenRules(log).map(({ rule }) => rule)).toContain(name);
  });

  test('a session without a fault breaks none', () => {
    const good = session([
      asks,
      answer('r1'),
      prompt,
      state('p1', 'queued'),
      state('p1', 'started'),
      init(),
      assistant([call]),
      ask(),
      { sent: answer('q1', { subtype: 'success', response: { behavior: 'allow' } }) },
      user([done]),
      reply('m2'),
      answered(),
      state('p1', 'completed'),
    ]);
    expect(brokenRules(good)).toEqual([]);
  });

  test('each cites a requirement that binds agents', () => {
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
    expect(rules.filter(({ spec }) => !/^(FRM|MSG|CTL|TRN|PRM|HOK|MCP|INT|CLI)-\d+$/.test(spec))).toEqual([]);
  });
});
