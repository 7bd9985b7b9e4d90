import {
  answer,
  assistant,
  begins,
  call,
  denied,
  deniedResult,
  done,
  event,
  hook,
  init,
  type Part,
  reply,
  result,
  says,
  serverCall,
  state,
  states,
  task,
  toServer,
  user,
} from './sessions.test-support.ts';

/** Sessions that grow: each makes `count` of something. */
export const growingSessions: Readonly<Record<string, (count: number) => readonly Part[]>> = {
  turns: (count) => [initialize, ...times(count, (at) => turn(at, callIn(at)))],
  'turns with denials': (count) => [initialize, ...times(count, (at) => turn(at, denialIn(at)))],
  'turns with hooks': (count) => [initialize, ...times(count, (at) => turn(at, [...hookCall(at), ...callIn(at)]))],
  'turns with calls of servers': (count) => [initialize, ...times(count, (at) => turn(at, serverCallIn(at)))],
  'interrupted turns': (count) => [initialize, ...times(count, interruptedTurn)],
  'prompts that wait': (count) => [
    initialize,
    ...times(count, (at) => [prompt(at)]),
    ...times(count, (at) => [state(`p${at}`, 'queued')]),
    ...times(count, (at) => turn(at, []).slice(2)),
  ],
  'interrupts that remove prompts': (count) => [
    initialize,
    ...times(count, (at) => [
      prompt(at),
      state(`p${at}`, 'queued'),
      request(`n${at}`, { subtype: 'interrupt', cancel_queued: true }),
      state(`p${at}`, 'cancelled'),
      succeeds(`n${at}`, { cancelled: [`p${at}`], still_queued: [] }),
    ]),
  ],
  'prompts that are removed': (count) => [
    initialize,
    ...times(count, (at) => [prompt(at)]),
    ...times(count, (at) => [cancel(at)]),
    ...times(count, (at) => [succeeds(`c${at}`, { cancelled: true }), state(`p${at}`, 'cancelled')]),
  ],
  'requests that are open at once': (count) => [
    initialize,
    ...times(count, (at) => [request(`r${at}`, { subtype: 'set_model', model: 'm' })]),
    ...times(count, (at) => [succeeds(`r${at}`, {})]),
  ],
  'modes and rules': (count) => [
    initialize,
    ...times(count, (at) => [request(`r${at}`, { subtype: 'set_permission_mode', mode: 'default' })]),
    ...times(count, (at) => [succeeds(`r${at}`, { mode: 'default' })]),
    ...times(count, (at) => turn(at, updateIn(at))),
  ],
  'questions that are open at once': (count) =>
    oneTurn([
      ...times(count, (at) => [assistant([{ ...call, id: `t${at}` }])]),
      ...times(count, (at) => [question(at)]),
      ...times(count, (at) => [allows(count - 1 - at)]),
      ...times(count, (at) => [user([{ ...done, tool_use_id: `t${at}` }])]),
    ]),
  'questions that are withdrawn': (count) =>
    oneTurn([
      ...times(count, (at) => [assistant([{ ...call, id: `t${at}` }])]),
      ...times(count, (at) => [question(at)]),
      ...times(count, (at) => [{ type: 'control_cancel_request', request_id: `q${at}` }]),
      ...times(count, (at) => [user([{ ...done, tool_use_id: `t${at}`, is_error: true }])]),
    ]),
  'calls of servers that are open at once': (count) =>
    oneTurn([
      ...times(count, (at) => [assistant([{ ...serverCall, id: `t${at}` }])]),
      ...times(count, (at) => [toServer(`m${at}`, { id: at, method: 'tools/call', params: { name: 'add' } })]),
      ...times(count, (at) => [fromServer(count - 1 - at)]),
      ...times(count, (at) => [user([{ ...done, tool_use_id: `t${at}` }])]),
    ]),
  'calls that are denied in one turn': (count) => [initialize, ...turn(0, times(count, denialIn), denials(count))],
  'rules for one tool': (count) => oneTurn(times(count, (at) => updateIn(at, 'Bash'))),
  'hooks that race with questions': (count) =>
    oneTurn([
      ...times(count, (at) => [assistant([{ ...call, id: `t${at}` }])]),
      ...times(count, () => [raceOfUnknownCall()]),
      ...times(count, (at) => [user([{ ...done, tool_use_id: `t${at}` }])]),
    ]),
  'hooks that block the end': (count) =>
    oneTurn(
      times(count, (at) => {
        const stop = hook('Stop', { stop_hook_active: at > 0 });
        return [reply(`b${at}`), stop, says(success(stop.request_id, { decision: 'block', reason: `r${at}` }))];
      }),
    ),
  subagents: (count) =>
    oneTurn([
      ...times(count, (at) => [assistant([{ ...call, name: 'Task', id: `t${at}` }])]),
      ...times(count, (at) => [assistant(undefined, { parent_tool_use_id: `t${at}` })]),
      ...times(count, (at) => [user([{ ...done, tool_use_id: `t${at}` }])]),
    ]),
  'replies in parts': (count) =>
    oneTurn(
      times(count, (at) => [
        event('message_start', { message: { id: `b${at}` } }),
        event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
        event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'hi' } }),
        reply(`b${at}`),
        event('content_block_stop', { index: 0 }),
        event('message_stop'),
      ]),
    ),
  'turns with a server': (count) => [
    initialize,
    toServer('l', { id: 0, method: 'tools/list' }),
    says(success('l', { mcp_response: { jsonrpc: '2.0', id: 0, result: { tools: [{ name: 'add' }] } } })),
    ...times(count, (at) => [
      request(`r${at}`, { subtype: 'mcp_status' }),
      succeeds(`r${at}`, { mcpServers: [{ name: 'lab', status: 'connected' }] }),
      begins({ tools: ['mcp__lab__add'], mcp_servers: [{ name: 'lab', status: 'connected' }] }),
      result(),
    ]),
  ],
  'hooks that are open at once': (count) => {
    const open = Array.from({ length: count }, () => hook('PreToolUse'));
    return oneTurn([...open, ...open.map(({ request_id: id }) => says(success(id, {})))]);
  },
  'parts of a reply': (count) =>
    oneTurn([
      event('message_start', { message: { id: 'm1' } }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...times(count, () => [event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'hi' } })]),
      event('content_block_stop', { index: 0 }),
      event('message_stop'),
      assistant([{ type: 'text', text: 'hi'.repeat(count) }]),
    ]),
  tasks: (count) =>
    oneTurn([
      ...times(count, (at) => [task('task_started', { task_id: `k${at}`, tool_use_id: `t${at}` })]),
      ...times(count, (at) => [task('task_notification', { task_id: `k${at}`, status: 'completed', summary: '' })]),
    ]),
  'questions of servers': (count) =>
    oneTurn([
      ...times(count, (at) => [
        { type: 'control_request', request_id: `e${at}`, request: { subtype: 'elicitation', mcp_server_name: 'lab' } },
      ]),
      ...times(count, (at) => [says(success(`e${count - 1 - at}`, { action: 'accept', content: {} }))]),
    ]),
};

function times(count: number, part: (at: number) => readonly Part[]): Part[] {
  return Array.from({ length: count }, (_, at) => part(at)).flat();
}

function request(id: string, body: object): Part {
  return says({ type: 'control_request', request_id: id, request: body });
}

function success(id: unknown, response: object): object {
  return answer(id, { subtype: 'success', response });
}

function succeeds(id: string, response: object): Part {
  return success(id, response);
}

const initialize = request('i', {
  subtype: 'initialize',
  hooks: { PreToolUse: [{ hookCallbackIds: ['h1'] }] },
  sdkMcpServers: ['lab'],
});

function prompt(at: number): Part {
  return says({ type: 'user', uuid: `p${at}`, message: { role: 'user', content: 'hi' } });
}

function cancel(at: number): Part {
  return request(`c${at}`, { subtype: 'cancel_async_message', message_uuid: `p${at}` });
}

function turn(at: number, work: readonly Part[], denials: readonly object[] = []): Part[] {
  return [
    prompt(at),
    state(`p${at}`, 'queued'),
    state(`p${at}`, 'started'),
    states('running'),
    init(),
    ...work,
    assistant(undefined, { message: { ...assistant().message, id: `m${at}` } }),
    result({ user_message_uuids: [`p${at}`], permission_denials: denials }),
    state(`p${at}`, 'completed'),
    states('idle'),
  ];
}

function oneTurn(work: readonly Part[]): Part[] {
  return [initialize, succeeds('i', {}), ...turn(0, work)];
}

function question(at: number): Part {
  const body = { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: `t${at}` };
  return { type: 'control_request', request_id: `q${at}`, request: body };
}

function allows(at: number, more: object = {}): Part {
  return says(success(`q${at}`, { behavior: 'allow', updatedInput: {}, ...more }));
}

function callIn(at: number): Part[] {
  return [
    assistant([{ ...call, id: `t${at}` }]),
    states('requires_action'),
    question(at),
    allows(at),
    user([{ ...done, tool_use_id: `t${at}` }]),
  ];
}

function denialIn(at: number): Part[] {
  return [
    assistant([{ ...call, id: `t${at}` }]),
    question(at),
    says(success(`q${at}`, { behavior: 'deny', message: 'Not here.' })),
    user([{ ...deniedResult.message.content[0], tool_use_id: `t${at}` }]),
  ];
}

function updateIn(at: number, toolName = `Tool${at}`): Part[] {
  const rule = { toolName };
  const update = { type: 'addRules', rules: [rule], behavior: 'allow', destination: 'session' };
  return [
    assistant([{ ...call, id: `t${at}` }]),
    question(at),
    allows(at, { updatedPermissions: [update] }),
    user([{ ...done, tool_use_id: `t${at}` }]),
  ];
}

function hookCall(at: number): Part[] {
  const called = hook('PreToolUse', { tool_use_id: `t${at}` });
  return [called, says(success(called.request_id, {}))];
}

function fromServer(at: number): Part {
  return says(success(`m${at}`, { mcp_response: { jsonrpc: '2.0', id: at, result: { content: [] } } }));
}

function serverCallIn(at: number): Part[] {
  return [
    assistant([{ ...serverCall, id: `t${at}` }]),
    toServer(`m${at}`, { id: at, method: 'tools/call', params: { name: 'add', arguments: { a: 1 } } }),
    fromServer(at),
    user([{ ...done, tool_use_id: `t${at}` }]),
  ];
}

function interruptedTurn(at: number): Part[] {
  return [
    prompt(at),
    state(`p${at}`, 'started'),
    init(),
    assistant([{ ...call, id: `t${at}` }]),
    question(at),
    request(`n${at}`, { subtype: 'interrupt' }),
    { type: 'control_cancel_request', request_id: `q${at}` },
    user([{ ...done, tool_use_id: `t${at}`, is_error: true }]),
    succeeds(`n${at}`, { still_queued: [] }),
    result({ user_message_uuids: [`p${at}`], subtype: 'error_during_execution', is_error: true }),
    state(`p${at}`, 'completed'),
  ];
}

/** A hook of which only the tool and the input show the call. */
function raceOfUnknownCall(): Part {
  const { request: asked, ...more } = hook('PermissionRequest', { tool_input: {} });
  return { ...more, request: { ...asked, tool_use_id: 'unknown' } };
}

function denials(count: number): readonly object[] {
  return Array.from({ length: count }, (_, at) => ({ ...denied, tool_use_id: `t${at}` }));
}
