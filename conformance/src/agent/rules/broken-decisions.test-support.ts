import type { SessionLog } from '../session-log.ts';
import {
  answer,
  answered,
  ask,
  assistant,
  begins,
  call,
  delta,
  denies,
  done,
  ends,
  hook,
  init,
  own,
  prompt,
  reply,
  result,
  says,
  serverCall,
  session,
  sets,
  state,
  states,
  succeeds,
  task,
  deniedResult,
  toServer,
  user,
} from './sessions.test-support.ts';

export const success = (id: string, response: object) => says(answer(id, { subtype: 'success', response }));
export const allows = success('q1', { behavior: 'allow' });
export const refuses = says(answer('q1'));
export const registers = (hooks: object) => sets('initialize', { hooks });
export const registered = answer('r1', { subtype: 'success', response: {} });
export const before = (id = 'h1') => ({ ...hook('PreToolUse', { tool_input: {} }), request_id: id });
export const decides = (decision: string) =>
  success('h1', { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: decision } });
export const cancels = (id: string) => ({ type: 'control_cancel_request', request_id: id });
export const request = (id: string, subtype: string, more: object = {}) =>
  says({ type: 'control_request', request_id: id, request: { subtype, ...more } });
export const waits = (uuid: string, more: object = {}) =>
  says({ type: 'user', uuid, message: { role: 'user', content: 'hi' }, ...more });
export const aborted = (more: object = {}) =>
  result({
    subtype: 'error_during_execution',
    is_error: true,
    errors: [],
    terminal_reason: 'aborted_streaming',
    ...more,
  });
export const interrupts = [
  request('i1', 'interrupt'),
  answer('i1', { subtype: 'success', response: { still_queued: [] } }),
];
export const text = (words: string) => user([{ type: 'text', text: words }]);
export const ran = user([done]);
const background = (tasks: readonly string[]) => ({
  type: 'system',
  subtype: 'background_tasks_changed',
  tasks: tasks.map((id) => ({ task_id: id, task_type: 'local_bash', description: 'd' })),
  ...own(),
});
const schema = '{"type":"object","required":["word"]}';
export const asked = [init(), assistant([call]), ask()];
const rule = (behavior: string) => ({
  type: 'addRules',
  behavior,
  rules: [{ toolName: 'Bash' }],
  destination: 'session',
});
export const second = { ...call, id: 't2' };
export const calls = (id: string, answerOf: object) => [
  toServer(id, { id: 7, method: 'tools/call', params: { name: 'add', arguments: { a: 1 } } }),
  success(id, { mcp_response: { jsonrpc: '2.0', id: 7, result: answerOf } }),
];
const connected = ['initialize', 'notifications/initialized', 'tools/list'].map((method, at) =>
  toServer(`s${at}`, { ...(method.startsWith('n') ? {} : { id: at }), method, params: { ...CLIENT() } }),
);

function CLIENT() {
  return { protocolVersion: '1', capabilities: {}, clientInfo: { name: 'a' } };
}

const withdrawnAndRun = [
  waits('p1'),
  state('p1', 'queued'),
  sets('cancel_async_message', { message_uuid: 'p1' }),
  succeeds({ cancelled: true }),
  waits('p1'),
  state('p1', 'started'),
];

/** For each rule about answers, decisions, hooks, interrupts, the queue, servers, tasks and flags, a session that breaks it. */
export const brokenDecisions: Readonly<Record<string, SessionLog>> = {
  'answer/interrupt': session([request('i1', 'interrupt'), answer('i1')]),
  'answer/second-initialize': session([
    request('a', 'initialize'),
    answer('a', { subtype: 'success', response: {} }),
    request('b', 'initialize'),
    answer('b'),
  ]),
  'answer/mode-exists': session([sets('set_permission_mode', { mode: 'none' }), succeeds({ mode: 'none' })]),
  'answer/bypass': session([
    sets('set_permission_mode', { mode: 'bypassPermissions' }),
    succeeds({ mode: 'bypassPermissions' }),
  ]),
  'answer/mode-code': session([sets('set_permission_mode', { mode: 'none' }), answer('r1')]),
  'answer/server-message': session([sets('mcp_message', { server_name: 'a', message: {} }), answer('r1')]),
  'answer/added-servers': session([
    sets('mcp_set_servers', { servers: { lab: { type: 'sdk', name: 'lab' } } }),
    succeeds({ added: [], removed: [], errors: {} }),
  ]),
  'answer/stop-task': session([sets('stop_task', { task_id: 'k9' }), answer('r1')]),
  'answer/task-output': session([sets('get_task_output', { task_id: 'k9' }), succeeds({ output: '' })]),
  'answer/open-questions': session([
    ...asked,
    request('a', 'initialize'),
    {
      type: 'control_response',
      response: { subtype: 'success', request_id: 'a', response: {}, pending_permission_requests: [] },
    },
  ]),
  'permission/error-denies': session([...asked, refuses, ran, result()]),
  'permission/only-allow-allows': session([...asked, success('q1', { behavior: 'perhaps' }), ran, result()]),
  'permission/end-denies': endsWhileAsked(),
  'hook/denial-holds': session([init(), assistant([call]), before(), decides('deny'), ran, result()]),
  'hook/block-holds': session([
    registers({ PreToolUse: [{ hookCallbackIds: ['h1'], onFailure: 'block' }] }),
    registered,
    init(),
    assistant([call]),
    before(),
    says(answer('h1')),
    ran,
    result(),
  ]),
  'hook/timeout-blocks': session([init(), assistant([call]), before(), cancels('h1'), ran, result()]),
  'race/denial-holds': session([
    ...asked,
    { ...hook('PermissionRequest', { tool_input: {} }), request_id: 'h1' },
    success('h1', { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny' } } }),
    cancels('q1'),
    ran,
    result(),
  ]),
  'interrupt/withdrawn-call': session([...asked, cancels('q1'), allows, ran, result()]),
  'hook/denied-not-asked': session([init(), assistant([call]), before(), decides('deny'), ask(), result()]),
  'hook/allowed-not-asked': session([init(), assistant([call]), before(), decides('allow'), ask(), result()]),
  'hook/asked': session([init(), assistant([call]), before(), decides('ask'), ran, result()]),
  'permission/dont-ask': session([begins({ permissionMode: 'dontAsk' }), assistant([call]), ask(), result()]),
  'permission/allowed-tools': session(asked, { args: ['--permission-prompt-tool', 'stdio', '--allowedTools', 'Bash'] }),
  'permission/rules-hold': session([
    ...asked,
    success('q1', { behavior: 'allow', updatedPermissions: [rule('allow')] }),
    ran,
    assistant([second]),
    ask('q2', 't2'),
  ]),
  'permission/asked-again': session([
    ...asked,
    allows,
    ran,
    assistant([second]),
    user([{ ...done, tool_use_id: 't2' }]),
    result(),
  ]),
  'permission/rules-of-a-later-answer': session([
    ...asked,
    allows,
    success('q1', { behavior: 'allow', updatedPermissions: [rule('allow')] }),
    ran,
    assistant([second]),
    user([{ ...done, tool_use_id: 't2' }]),
    result(),
  ]),
  'permission/late-rules': session([
    ...asked,
    cancels('q1'),
    success('q1', { behavior: 'allow', updatedPermissions: [rule('allow')] }),
    user([{ ...done, is_error: true }]),
    assistant([second]),
    user([{ ...done, tool_use_id: 't2' }]),
    result(),
  ]),
  'permission/listed-did-not-run': session([
    init(),
    assistant([call]),
    ran,
    result({ permission_denials: [{ tool_name: 'Bash', tool_use_id: 't1', tool_input: {} }] }),
  ]),
  'permission/unasked-denial-reported': session([
    init(),
    assistant([call]),
    deniedResult,
    result({ permission_denials: [{ tool_name: 'Bash', tool_use_id: 't1', tool_input: {} }] }),
  ]),
  'permission/changed-input-runs': session([
    ...asked,
    success('q1', { behavior: 'allow', updatedInput: { a: 2 } }),
    hook('PostToolUse', { tool_input: call.input, tool_response: '' }),
    ran,
    result(),
  ]),
  'hook/input-that-ran': session([
    ...asked,
    success('q1', { behavior: 'allow', updatedInput: { a: 2 } }),
    hook('PostToolUse', { tool_input: { a: 1 }, tool_response: '' }),
    ran,
    result(),
  ]),
  'hook/called-once': session([
    registers({ PreToolUse: [{ hookCallbackIds: ['h1'] }] }),
    registered,
    init(),
    assistant([call]),
    hook('PreToolUse'),
    hook('PreToolUse'),
    ran,
    result(),
  ]),
  'hook/before-each-call': session([
    registers({ PreToolUse: [{ hookCallbackIds: ['h1'] }] }),
    registered,
    init(),
    assistant([call]),
    ran,
    result(),
  ]),
  'hook/after-each-call': session([
    registers({ PostToolUse: [{ matcher: 'Bash|Write', hookCallbackIds: ['h1'] }] }),
    registered,
    init(),
    assistant([call]),
    ran,
    result(),
  ]),
  'hook/of-each-prompt': session([
    registers({ UserPromptSubmit: [{ hookCallbackIds: ['h1'] }] }),
    registered,
    prompt,
    init(),
    assistant(),
    answered(),
  ]),
  'hook/of-each-end': session([
    registers({ Stop: [{ hookCallbackIds: ['h1'] }] }),
    registered,
    prompt,
    init(),
    hook('Stop', { stop_hook_active: false }),
    assistant(),
    answered(),
  ]),
  'hook/fits': session([
    registers({ PreToolUse: [{ matcher: 'Write', hookCallbackIds: ['h1'] }] }),
    registered,
    init(),
    assistant([call]),
    before(),
  ]),
  'hook/whole-names': session([
    registers({ PreToolUse: [{ matcher: 'bash', hookCallbackIds: ['h1'] }] }),
    registered,
    init(),
    assistant([call]),
    before(),
  ]),
  'hook/changed-input-runs': session([
    init(),
    assistant([call]),
    { ...hook('PreToolUse', { tool_input: {} }), request_id: 'h1' },
    success('h1', {
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: { a: 1 } },
    }),
    ran,
    hook('PostToolUse', { tool_input: {} }),
  ]),
  'hook/prompt-of-blocks': session([
    says({
      type: 'user',
      uuid: 'p1',
      message: { role: 'user', content: ['hi', 'ho'].map((text) => ({ type: 'text', text })) },
    }),
    hook('UserPromptSubmit', { prompt: 'hi' }),
  ]),
  'race/question-at-once': session([
    init(),
    assistant([call]),
    { ...hook('PermissionRequest', { tool_input: {} }), request_id: 'h1' },
    4000,
    success('h1', {}),
    ask(),
  ]),
  'prompt/other-roles': session([
    says({ type: 'user', uuid: 'p1', message: { role: 'assistant', content: 'hi' } }),
    state('p1', 'started'),
  ]),
  'hook/replaced': session([
    registers({ PreToolUse: [{ hookCallbackIds: ['h1'] }] }),
    registered,
    registers({ Stop: [{ hookCallbackIds: ['h2'] }] }),
    registered,
    init(),
    assistant([call]),
    before(),
  ]),
  'hook/not-after-a-denial': session([
    ...asked,
    denies,
    hook('PostToolUse', { tool_input: {}, tool_response: '' }),
    deniedResult,
    result(),
  ]),
  'hook/not-after-an-interrupt': session([init(), ...interrupts, hook('Stop', { stop_hook_active: false }), aborted()]),
  'hook/stop-active': session([init(), assistant(), hook('Stop', { stop_hook_active: true }), result()]),
  'hook/present-mode': session([
    init(),
    assistant([call]),
    hook('PreToolUse', { tool_input: {}, permission_mode: 'plan' }),
  ]),
  'hook/failure-reported': session([init(), assistant([call]), before(), says(answer('h1')), ran, result()]),
  'interrupt/no-turn-no-result': session([...interrupts, aborted({ num_turns: 0 })]),
  'interrupt/reason': session([
    init(),
    assistant([call]),
    ...interrupts,
    user([{ ...done, is_error: true }]),
    text('[Request interrupted by user]'),
    aborted(),
  ]),
  'interrupt/answered-first': session([init(), ...interrupts.slice(0, 1), aborted(), ...interrupts.slice(1)]),
  'interrupt/one-text': session([init(), ...interrupts, aborted()]),
  'interrupt/part-marked': session(
    [
      init(),
      delta({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ho' } }),
      ...interrupts,
      text('[Request interrupted by user]'),
      aborted(),
    ],
    { args: ['--include-partial-messages'] },
  ),
  'interrupt/open-calls-fail': session([
    ...asked,
    ...interrupts,
    cancels('q1'),
    ran,
    text('[Request interrupted by user for tool use]'),
    aborted({ terminal_reason: 'aborted_tools' }),
  ]),
  'queue/order': session([
    waits('p1'),
    waits('p2'),
    state('p1', 'queued'),
    state('p2', 'queued'),
    state('p2', 'started'),
  ]),
  'queue/later': session([
    init(),
    waits('p1', { priority: 'later' }),
    waits('p2'),
    state('p1', 'queued'),
    state('p2', 'queued'),
    result(),
    state('p1', 'started'),
  ]),
  'queue/no-query': session([waits('p1', { shouldQuery: false }), init(), assistant(), answered()]),
  'interrupt/all-still-queued': session([waits('p1'), state('p1', 'queued'), ...interrupts]),
  'interrupt/removed-listed': session([
    waits('p1'),
    state('p1', 'queued'),
    request('i1', 'interrupt', { cancel_queued: true }),
    answer('i1', { subtype: 'success', response: { still_queued: [], cancelled: [] } }),
  ]),
  'interrupt/removed-stay-removed': session([
    waits('p1'),
    state('p1', 'queued'),
    request('i1', 'interrupt', { cancel_queued: true }),
    answer('i1', { subtype: 'success', response: { still_queued: [], cancelled: ['p1'] } }),
    state('p1', 'started'),
  ]),
  'withdraw/stays-withdrawn': session([
    waits('p1'),
    state('p1', 'queued'),
    sets('cancel_async_message', { message_uuid: 'p1' }),
    succeeds({ cancelled: true }),
    state('p1', 'started'),
  ]),
  'withdraw/sent-again': session(withdrawnAndRun),
  'withdraw/never-run': session(withdrawnAndRun),
  'withdraw/waiting': session([
    waits('p1'),
    state('p1', 'queued'),
    sets('cancel_async_message', { message_uuid: 'p1' }),
    succeeds({ cancelled: false }),
  ]),
  'withdraw/only-waiting': session([
    sets('cancel_async_message', { message_uuid: 'p9' }),
    succeeds({ cancelled: true }),
  ]),
  'withdraw/reported-first': session([
    waits('p1'),
    state('p1', 'queued'),
    sets('cancel_async_message', { message_uuid: 'p1' }),
    succeeds({ cancelled: true }),
    state('p1', 'cancelled'),
  ]),
  'lifecycle/removed': session([
    waits('p1'),
    state('p1', 'queued'),
    sets('cancel_async_message', { message_uuid: 'p1' }),
    succeeds({ cancelled: true }),
  ]),
  'mcp/connects': session([sets('initialize', { sdkMcpServers: ['lab'] }), registered, init(), result()]),
  'mcp/all-in-init': session([sets('initialize', { sdkMcpServers: ['lab'] }), registered, init()]),
  'mcp/all-in-status': session([
    sets('initialize', { sdkMcpServers: ['lab'] }),
    registered,
    init(),
    request('m1', 'mcp_status'),
    answer('m1', { subtype: 'success', response: { mcpServers: [] } }),
  ]),
  'mcp/set-servers-in-init': session([
    sets('mcp_set_servers', { servers: { lab: { type: 'sdk', name: 'lab' } } }),
    succeeds({ added: ['lab'], removed: [], errors: {} }),
    init(),
  ]),
  'mcp/disabled-in-status': session([
    begins({ mcp_servers: [{ name: 'lab', status: 'connected' }] }),
    sets('mcp_toggle', { serverName: 'lab', enabled: false }),
    registered,
    request('m1', 'mcp_status'),
    answer('m1', { subtype: 'success', response: { mcpServers: [{ name: 'lab', status: 'connected' }] } }),
  ]),
  'mcp/unknown-server': session([sets('mcp_reconnect', { serverName: 'lab' }), registered]),
  'mcp/handshake': session([toServer('q1', { id: 1, method: 'tools/list' })]),
  'mcp/asks-again': session([
    begins({ capabilities: ['sdk_mcp_tools_list_changed'] }),
    result(),
    ...connected,
    sets('mcp_message', {
      server_name: 'lab',
      message: { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
    }),
    registered,
    init(),
    result(),
  ]),
  'mcp/listed-tools': session([
    toServer('m1', { id: 1, method: 'tools/list' }),
    success('m1', { mcp_response: { id: 1, result: { tools: [{ name: 'add' }] } } }),
    sets('mcp_status', {}),
    succeeds({}),
    begins({ tools: ['mcp__lab__old'], mcp_servers: [{ name: 'lab', status: 'connected' }] }),
    result(),
  ]),
  'mcp/failed-call': session([init(), assistant([serverCall]), ...calls('m1', { isError: true }), ran, result()]),
  'mcp/texts': session([
    init(),
    assistant([serverCall]),
    ...calls('m1', { content: [{ type: 'text', text: 'three' }] }),
    ran,
    result(),
  ]),
  'mcp/cancels-call': session([
    init(),
    assistant([serverCall]),
    ...calls('m1', {}).slice(0, 1),
    ...interrupts,
    aborted({ terminal_reason: 'aborted_tools' }),
  ]),
  'task/end-reported': session([init(), task('task_started'), result()]),
  'task/all-listed': session([
    init(),
    task('task_started'),
    background(['k1']),
    background([]),
    background(['k2']),
    ends(),
    result(),
  ]),
  'task/stopped': session([
    init(),
    task('task_started'),
    sets('stop_task', { task_id: 'k1' }),
    succeeds({}),
    ends(),
    result(),
  ]),
  'task/only-the-named': session([init(), task('task_started'), ends({ status: 'stopped' }), result()]),
  'task/not-by-an-interrupt': session([
    init(),
    task('task_started'),
    result(),
    ...interrupts,
    ends({ status: 'stopped' }),
  ]),
  'flag/tools': session([begins({ tools: ['Bash', 'Read'] }), result()], { args: ['--tools=Bash'] }),
  'flag/disallowed-tools': session([begins({ tools: ['Bash'] }), result()], {
    args: ['--disallowedTools', 'Read,Bash'],
  }),
  'flag/max-turns': session([init(), assistant(), reply('m2'), result()], { args: ['--max-turns', '1'] }),
  'flag/max-budget': session([init(), result()], { args: ['--max-budget-usd', '0.1'] }),
  'flag/json-schema': session([init(), result({ structured_output: {} })], { args: ['--json-schema', schema] }),
  'flag/permission-mode': session([init(), result()], { args: ['--permission-mode', 'plan'] }),
  'flag/session-id': session([init(), result()], { args: ['--session-id', 's9'] }),
  'flag/resume': session([init(), result()], { args: ['--resume', 's9'] }),
  'flag/fork': session([init(), result()], { args: ['--resume', 's1', '--fork-session'] }),
  'reply/one-block': session([
    init(),
    assistant(['hi', 'ho'].map((words) => ({ type: 'text', text: words }))),
    result(),
  ]),
  'tool/one-result-a-message': session([
    init(),
    assistant([call]),
    assistant([second]),
    user([done, { ...done, tool_use_id: 't2' }]),
    result(),
  ]),
  'reply/main-conversation': session([
    init(),
    assistant([call]),
    ran,
    assistant(undefined, { parent_tool_use_id: 't1' }),
    result(),
  ]),
  'reply/error-marked': session([init(), reply('m1', { model: '<synthetic>' }), result({ is_error: true })]),
  'result/failed-reply': session([init(), assistant(undefined, { error: 'overloaded' }), result()]),
  'partial/block-before-stop': session([
    init(),
    delta({ type: 'message_start', message: { id: 'm1' } }),
    delta({ type: 'content_block_stop', index: 0 }),
    assistant(),
  ]),
  'mirror/whole': session([init(), assistant(), { type: 'transcript_mirror', filePath: '/a', entries: [] }, result()], {
    args: ['--session-mirror'],
  }),
  'state/question': session([states('running'), ...asked, allows, ran, result(), states('idle')]),
  'state/last-answer': session([...asked, states('running'), allows, ran, result(), states('idle')]),
  'setting/no-manual': session([begins({ permissionMode: 'manual' }), result()]),
  'hook/prompt': session([prompt, hook('UserPromptSubmit', { prompt: 'ho' })]),
};

function endsWhileAsked(): SessionLog {
  const { events, ...rest } = session([...asked, ran, result()]);
  const end = events.find(({ kind }) => kind === 'input-ended');
  const others = events.filter((event) => event !== end);
  return { ...rest, events: [...others.slice(0, 3), ...(end === undefined ? [] : [end]), ...others.slice(3)] };
}
