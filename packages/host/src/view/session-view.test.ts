import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { WireMessage } from '@proto/core/framing';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test, vi } from 'vitest';
import { createSessionView, type SessionView } from './session-view.ts';
import type { CallItem, Item, SessionSnapshot } from './snapshot.ts';

const reply = (id: string, content: readonly object[], members: object = {}): WireMessage => ({
  type: 'assistant',
  uuid: `uuid-of-${id}`,
  message: { id, content },
  parent_tool_use_id: null,
  ...members,
});
const text = (value: string) => ({ type: 'text', text: value });
const call = (id: string, name = 'Bash', input: object = {}) => ({ type: 'tool_use', id, name, input });
const toolResult = (id: string, content: unknown, members: object = {}): WireMessage => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
  parent_tool_use_id: null,
  ...members,
});
const prompt = (uuid: string, content = uuid): WireMessage => ({
  type: 'user',
  uuid,
  message: { role: 'user', content },
});
const result = (members: object = {}): WireMessage => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  ...members,
});
const event = (body: object, thread: string | null = null): WireMessage => ({
  type: 'stream_event',
  event: body,
  parent_tool_use_id: thread,
});
const begin = (id: string, thread?: string) => [
  event({ type: 'message_start', message: { id } }, thread),
  event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, thread),
];
const delta = (piece: string, thread?: string) =>
  event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } }, thread);
const system = (subtype: string, members: object = {}): WireMessage => ({ type: 'system', subtype, ...members });

function viewOf(...messages: readonly WireMessage[]): SessionView {
  const view = createSessionView();
  for (const message of messages) view.track({ message }, 5);
  return view;
}

const snapshotOf = (...messages: readonly WireMessage[]): SessionSnapshot => viewOf(...messages).getSnapshot();
const itemsOf = ({ turns }: SessionSnapshot): readonly Item[] => turns.flatMap(({ items }) => items);
const callOf = (snapshot: SessionSnapshot, id: string) =>
  itemsOf(snapshot).find((item): item is CallItem => item.kind === 'call' && item.id === id);

describe('texts that are being written', () => {
  test('grow with each increment, and become an item when they are complete', () => {
    const view = viewOf(...begin('m1'), delta('Hel'), delta('lo'));
    expect(view.getSnapshot().streaming).toMatchObject([{ kind: 'text', text: 'Hello', callId: undefined }]);
    view.track({ message: reply('m1', [text('Hello')]) });
    expect(view.getSnapshot().streaming).toEqual([]);
    expect(itemsOf(view.getSnapshot())).toMatchObject([{ kind: 'text', text: 'Hello' }]);
  });

  test('stay while an earlier block of the same reply becomes complete', () => {
    const second = event({ type: 'content_block_start', index: 1, content_block: call('t1', 'Bash') });
    const json = event({
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: '{"a' },
    });
    const { streaming } = snapshotOf(...begin('m1'), delta('one'), second, json, reply('m1', [text('one')]));
    expect(streaming).toMatchObject([{ kind: 'call', name: 'Bash', text: '{"a' }]);
  });

  test('belong to the subagent that writes them', () => {
    const { streaming } = snapshotOf(...begin('m1'), ...begin('s1', 't1'), delta('a'), delta('b', 't1'));
    expect(streaming.map(({ callId, text: written }) => [callId, written])).toEqual([
      [undefined, 'a'],
      ['t1', 'b'],
    ]);
  });

  verifies('VIEW-1', 'are dropped when the link goes down, and increments without a beginning are ignored', () => {
    const view = viewOf(...begin('m1'), delta('one'));
    view.track({ link: 'down' });
    view.track({ link: 'up' });
    view.track({ message: delta(' three') });
    expect(view.getSnapshot().streaming).toEqual([]);
  });

  test('are dropped when another reply begins, and when the turn ends', () => {
    expect(snapshotOf(...begin('m1'), delta('one'), ...begin('m2')).streaming).toMatchObject([{ text: '' }]);
    expect(snapshotOf(...begin('m1'), delta('one'), result()).streaming).toEqual([]);
  });

  test('are not continued after another message, which would leave a hole', () => {
    const { streaming } = snapshotOf(...begin('m1'), delta('one '), reply('other', [text('an error')]), delta('three'));
    expect(streaming).toEqual([]);
  });

  test('need not begin with an event', () => {
    const { streaming } = snapshotOf(event({ type: 'message_start', message: { id: 'm1' } }), delta('a'), delta('b'));
    expect(streaming).toMatchObject([{ kind: 'text', text: 'ab' }]);
  });

  test('are at most 100, whatever an agent sends', () => {
    const blocks = Array.from({ length: 500 }, (_, index) => begin('m', `t${index}`)).flat();
    expect(snapshotOf(...blocks).streaming).toHaveLength(100);
  });
});

verifies(['VIEW-2', 'VIEW-5'], 'an increment changes nothing but the block that is being written', () => {
  const view = viewOf(prompt('p1'), reply('m1', [text('a'), call('t1')]), result(), ...begin('m2'), delta('x'));
  const before = view.getSnapshot();
  view.track({ message: delta('y') });
  const { streaming, ...rest } = view.getSnapshot();
  expect(streaming).toMatchObject([{ text: 'xy' }]);
  for (const [name, part] of Object.entries(rest)) expect(part, name).toBe(before[name as keyof SessionSnapshot]);
});

verifies('VIEW-2', 'an item changes only the lists that contain it', () => {
  const view = viewOf(prompt('p1'), reply('m1', [text('a')]), result(), reply('m2', [call('t1'), call('t2')]));
  const before = view.getSnapshot();
  view.track({ message: reply('s1', [text('sub')], { parent_tool_use_id: 't1' }) });
  const after = view.getSnapshot();
  expect(after.turns[0]).toBe(before.turns[0]);
  expect(after.turns[1]).not.toBe(before.turns[1]);
  expect(callOf(after, 't1')?.items).toMatchObject([{ text: 'sub' }]);
  expect(callOf(before, 't1')?.items).toEqual([]);
  expect(callOf(after, 't2')).toBe(callOf(before, 't2'));
  expect(after.info).toBe(before.info);
});

verifies('VIEW-2', 'a snapshot stays the same object until something changes', () => {
  const view = viewOf(prompt('p1'));
  const onChange = vi.fn();
  const stop = view.subscribe(onChange);
  const before = view.getSnapshot();
  expect(view.getSnapshot()).toBe(before);
  view.track({ message: { type: 'keep_alive' } });
  view.track({ message: system('hook_started', { hook_id: 'h' }) });
  expect(view.getSnapshot()).toBe(before);
  onChange.mockClear();
  view.track({ message: reply('m1', [text('a')]) });
  expect(onChange).toHaveBeenCalledTimes(1);
  stop();
  view.track({ message: result() });
  expect(onChange).toHaveBeenCalledTimes(1);
});

describe('tool calls', () => {
  test('have their results and their outputs', () => {
    const snapshot = snapshotOf(
      reply('m1', [call('t1', 'Bash', { command: 'ls' }), call('t2'), call('t3')]),
      system('tool_progress'),
      toolResult('t1', 'files', { tool_use_result: { stdout: 'files' } }),
      { type: 'tool_progress', tool_use_id: 't2', elapsed_time_seconds: 3 },
    );
    expect(callOf(snapshot, 't1')).toMatchObject({
      name: 'Bash',
      input: { command: 'ls' },
      state: 'done',
      result: 'files',
      output: { stdout: 'files' },
      endedAt: 5,
    });
    expect(callOf(snapshot, 't2')).toMatchObject({ state: 'running', elapsedSeconds: 3, endedAt: undefined });
  });

  test('are denied if a rule, a person or the result of the turn says so', () => {
    const snapshot = snapshotOf(
      reply('m1', [call('t1'), call('t2'), call('t3'), call('t4')]),
      toolResult('t1', 'no', { tool_result_meta: [{ id: 't1', non_execution_kind: 'permission-rule' }] }),
      system('permission_denied', { tool_use_id: 't2', message: 'denied by a rule' }),
      toolResult('t2', 'no'),
      toolResult('t3', 'no'),
      result({ permission_denials: [{ tool_use_id: 't3' }] }),
    );
    expect(['t1', 't2', 't3', 't4'].map((id) => callOf(snapshot, id)?.state)).toEqual([
      'denied',
      'denied',
      'denied',
      'stopped',
    ]);
    expect(itemsOf(snapshot)).toContainEqual(expect.objectContaining({ level: 'warning', text: 'denied by a rule' }));
  });

  test('of a subagent are stopped when the subagent has ended', () => {
    const task = { task_id: 'k', tool_use_id: 't1' };
    const snapshot = snapshotOf(
      reply('m1', [call('t1', 'Agent')]),
      toolResult('t1', 'launched'),
      system('task_started', { ...task, description: 'work', task_type: 'local_agent' }),
      result(),
      reply('s1', [call('t2')], { parent_tool_use_id: 't1' }),
      system('task_progress', { ...task, description: 'Running Bash' }),
      system('task_notification', { ...task, status: 'failed', summary: 'it failed' }),
    );
    expect(callOf(snapshot, 't1')?.items).toMatchObject([{ id: 't2', state: 'stopped' }]);
    expect(snapshot.tasks).toEqual([
      {
        id: 'k',
        type: 'local_agent',
        description: 'work',
        status: 'failed',
        callId: 't1',
        summary: 'it failed',
        isAmbient: false,
      },
    ]);
    expect(snapshot.status).toBe('running');
  });

  test('of the server and of MCP have their results in the same reply', () => {
    const snapshot = snapshotOf(
      reply('m1', [
        { type: 'server_tool_use', id: 't1', name: 'web_search', input: {} },
        { type: 'web_search_tool_result', tool_use_id: 't1', content: [{ type: 'web_search_result' }] },
      ]),
    );
    expect(itemsOf(snapshot)).toMatchObject([{ kind: 'call', name: 'web_search', state: 'done' }]);
  });
});

verifies('VIEW-4', 'results and subagents of unknown calls, and unknown blocks and messages, are shown', () => {
  const unknown = { type: 'not_known_yet' };
  const snapshot = snapshotOf(
    toolResult('t1', 'late'),
    reply('s1', [text('sub')], { parent_tool_use_id: 't2' }),
    reply('m1', [{ type: 'new_block', value: 1 }]),
    unknown,
    reply('m2', [call('t1', 'Read')]),
  );
  expect(itemsOf(snapshot)).toMatchObject([
    { kind: 'call', id: 't1', name: 'Read', state: 'done', result: 'late' },
    { kind: 'call', id: 't2', name: '', items: [{ text: 'sub' }] },
    { kind: 'block', block: { type: 'new_block', value: 1 } },
  ]);
  expect(snapshot.unknown).toEqual({ count: 1, last: [unknown] });
});

describe('turns', () => {
  test('have their prompts, their outcomes and their results', () => {
    const { turns, queue } = snapshotOf(
      prompt('p1'),
      prompt('p2'),
      reply('m1', [text('a')]),
      result({ is_error: true, terminal_reason: 'aborted_streaming', user_message_uuids: ['p1'] }),
      reply('m2', [text('b')], { user_message_uuid: 'p2' }),
    );
    expect(turns).toMatchObject([
      { id: 'turn-1', outcome: 'interrupted', items: [{ id: 'p1', state: 'cancelled' }, { text: 'a' }] },
      { id: 'turn-2', outcome: undefined, items: [{ id: 'p2', state: 'started' }, { text: 'b' }] },
    ]);
    expect(queue).toEqual([]);
  });

  verifies('VIEW-1', 'do not take a prompt that has not reached the agent yet', () => {
    const done = [prompt('p1'), reply('m1', [text('a')]), result({ user_message_uuids: ['p1'] })];
    const ofTask = [reply('m2', [text('a task has ended')]), result({ result: 'x' })];
    const next = [reply('m3', [text('b')], { user_message_uuid: 'p2' })];
    const view = viewOf(...done);
    view.track({ sent: prompt('p2') });
    for (const message of [...ofTask, prompt('p2'), ...next]) view.track({ message }, 5);
    expect(view.getSnapshot().turns).toEqual(snapshotOf(...done, ...ofTask, prompt('p2'), ...next).turns);
    expect(view.getSnapshot().turns[2]?.items).toMatchObject([{ id: 'p2' }, { text: 'b' }]);
  });

  test('show the text of the result if the agent sent no other text', () => {
    expect(itemsOf(snapshotOf(prompt('p1'), result({ result: 'only here' })))).toMatchObject([
      { id: 'p1' },
      { text: 'only here' },
    ]);
  });

  test('take a prompt that the agent takes up while a turn is running', () => {
    const started = { type: 'command_lifecycle', command_uuid: 'p2', state: 'started' };
    const view = viewOf(prompt('p1'), reply('m1', [call('t1')]), prompt('p2'));
    expect(view.getSnapshot().queue).toMatchObject([{ id: 'p2', state: 'delivered' }]);
    view.track({ message: started });
    expect(view.getSnapshot().queue).toEqual([]);
    expect(itemsOf(view.getSnapshot())).toMatchObject([{ id: 'p1' }, { id: 't1' }, { id: 'p2', state: 'started' }]);
  });

  test('do not take a prompt that is cancelled before', () => {
    const cancelled = { type: 'command_lifecycle', command_uuid: 'p2', state: 'cancelled' };
    const { turns, queue } = snapshotOf(prompt('p1'), reply('m1', [text('a')]), prompt('p2'), cancelled, result());
    expect([turns.length, queue.length]).toEqual([1, 0]);
  });

  test('lose the messages that the agent retracts', () => {
    const snapshot = snapshotOf(
      reply('m1', [text('wrong')]),
      reply('m2', [text('right')], { supersedes: ['uuid-of-m1'] }),
      reply('m3', [text('refused')]),
      system('model_refusal_fallback', { content: 'retried', retracted_message_uuids: ['uuid-of-m3'] }),
    );
    expect(itemsOf(snapshot)).toMatchObject([{ text: 'right' }, { kind: 'notice', text: 'retried' }]);
  });

  test('end when the agent reports that it is idle, even without a result', () => {
    const { turns, status } = snapshotOf(
      system('session_state_changed', { state: 'running' }),
      reply('m1', [call('t1')]),
      system('session_state_changed', { state: 'idle' }),
    );
    expect(turns).toMatchObject([{ outcome: 'interrupted', items: [{ state: 'stopped' }] }]);
    expect(status).toBe('idle');
  });

  test('are dropped, oldest first, when there are too many items', () => {
    const view = createSessionView({ maxItems: 4 });
    for (const n of [1, 2, 3, 4]) {
      for (const message of [prompt(`p${n}`), reply(`m${n}`, [call(`t${n}`)]), toolResult(`t${n}`, 'x'), result()])
        view.track({ message });
    }
    const { turns, isTruncated } = view.getSnapshot();
    expect(turns.map(({ id }) => id)).toEqual(['turn-2', 'turn-3', 'turn-4']);
    expect(isTruncated).toBe(true);
  });
});

test('dropped turns are not kept in memory, even if a subagent of an earlier turn works in a later one', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const view = createSessionView({ maxItems: 10 });
  const notices: WeakRef<WireMessage>[] = [];
  for (let n = 0; n < 100; n++) {
    const notice = system('informational', { uuid: `n${n}`, content: 'a notice' });
    notices.push(new WeakRef(notice));
    // The subagent of the turn before goes on in this turn.
    const late = reply(`late${n}`, [text('late')], { parent_tool_use_id: `t${Math.max(0, n - 1)}` });
    for (const message of [reply(`m${n}`, [call(`t${n}`)]), notice, late, reply(`o${n}`, [text('x')]), result()])
      view.track({ message });
  }
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  const kept = notices.filter((notice) => notice.deref() !== undefined).length;
  expect(view.getSnapshot().turns.length).toBeLessThan(10);
  expect(kept).toBeLessThan(10);
});

test('facts follow from the last message that reports them', () => {
  const todos = [
    { content: 'one', status: 'completed', activeForm: 'x' },
    { content: 'two', status: 'in_progress' },
    { content: 'three', status: 'odd' },
  ];
  const snapshot = snapshotOf(
    system('init', {
      model: 'm1',
      permissionMode: 'plan',
      cwd: '/w',
      tools: ['Bash'],
      slash_commands: ['/x'],
      session_id: 's',
    }),
    reply('m1', [call('t1', 'TodoWrite', { todos }), call('t2', 'ExitPlanMode', { plan: '1. Do it.' })], {
      message: {
        id: 'm1',
        content: [call('t1', 'TodoWrite', { todos }), call('t2', 'ExitPlanMode', { plan: '1. Do it.' })],
        usage: { input_tokens: 3, output_tokens: 4 },
      },
    }),
    system('status', { status: 'compacting', permissionMode: 'acceptEdits' }),
    system('session_title_changed', { title: 'A title' }),
    system('commands_changed', { commands: [{ name: '/y' }] }),
    { type: 'rate_limit_event', rate_limit_info: { status: 'allowed' } },
    { type: 'prompt_suggestion', suggestion: 'go on' },
  );
  expect(snapshot).toMatchObject({
    todos: [
      { content: 'one', status: 'completed' },
      { content: 'two', status: 'in_progress' },
      { content: 'three', status: 'pending' },
    ],
    plan: '1. Do it.',
    contextTokens: 7,
    activity: { kind: 'compacting' },
    suggestion: 'go on',
    info: {
      sessionId: 's',
      title: 'A title',
      model: 'm1',
      permissionMode: 'acceptEdits',
      cwd: '/w',
      tools: ['Bash'],
      commands: ['/y'],
      rateLimit: { status: 'allowed' },
    },
  });
});

test('a new conversation has no tasks, no list and no plan', () => {
  const snapshot = snapshotOf(
    reply('m1', [call('t1', 'TodoWrite', { todos: [{ content: 'one', status: 'pending' }] })]),
    system('task_started', { task_id: 'k', description: 'd' }),
    result(),
    { type: 'conversation_reset', trigger: 'clear' },
  );
  expect(snapshot).toMatchObject({ todos: [], plan: undefined, tasks: [{ status: 'stopped' }] });
});

test('the link has its state, the time of the last change, and the error that ended the session', () => {
  const view = createSessionView();
  const link = () => view.getSnapshot().link;
  expect(link()).toEqual({ state: 'up', since: undefined, error: undefined });
  view.track({ link: 'down' }, 1);
  view.track({ link: 'down' }, 2);
  expect(link()).toMatchObject({ state: 'down', since: 1 });
  view.track({ link: 'up' }, 3);
  const error = new Error('lost');
  view.track({ ended: true, error }, 4);
  expect(link()).toEqual({ state: 'ended', since: 4, error });
});

test('messages of any shape are accepted', () => {
  const odd: readonly object[] = [
    { type: 'assistant' },
    { type: 'assistant', message: null, parent_tool_use_id: 7 },
    {
      type: 'assistant',
      message: { content: [null, 1, {}, { type: 'text' }, { type: 'tool_use' }, { type: 'thinking' }] },
    },
    { type: 'user', message: { content: [{ type: 'tool_result' }] } },
    {
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: 't', content: [null, 'x', { type: 'text' }] }] },
    },
    { type: 'user', uuid: 'p', message: { content: [null, 'x', { type: 'text', text: 'hi' }] } },
    { type: 'user', tool_result_meta: [null, 1] },
    { type: 'stream_event' },
    { type: 'stream_event', event: { type: 'message_start' } },
    { type: 'stream_event', event: { type: 'content_block_start', content_block: { type: 'text', text: 5 } } },
    { type: 'stream_event', event: { type: 'content_block_delta', delta: { text: {} } } },
    { type: 'result', permission_denials: [null], user_message_uuids: [null, {}], modelUsage: 1, usage: [] },
    { type: 'system' },
    system('init', { tools: [1], mcp_servers: [null, {}], slash_commands: {} }),
    system('status', { status: {} }),
    system('api_retry'),
    system('task_started'),
    system('task_updated', { patch: 1 }),
    system('background_tasks_changed', { tasks: [null, {}] }),
    system('commands_changed', { commands: [null] }),
    { type: 'command_lifecycle' },
    { type: 'control_request' },
    { type: 'control_request', request: { subtype: 'can_use_tool' } },
    { type: 'control_cancel_request' },
    { type: 'tool_progress' },
    { type: 'rate_limit_event' },
    { type: 'conversation_reset' },
    { type: '__proto__' },
    system('constructor'),
  ];
  const view = viewOf(...(odd as readonly WireMessage[]), ...(odd.toReversed() as readonly WireMessage[]));
  expect(() => JSON.stringify(view.getSnapshot())).not.toThrow();
  // A user interface can read the type of each block without a check.
  const items = [...itemsOf(view.getSnapshot()), ...view.getSnapshot().queue];
  const lists = items.flatMap((item) =>
    item.kind === 'call' ? [item.result] : item.kind === 'prompt' ? [item.content] : [],
  );
  const blocks = lists.flatMap((list) => (typeof list === 'object' ? list : []));
  expect(blocks.map(({ type }) => type)).toContain('text');
});

test('subagents can be nested to any depth', () => {
  const view = createSessionView();
  for (let depth = 0; depth < 20_000; depth++) {
    const thread = depth === 0 ? null : `t${depth - 1}`;
    view.track({ message: reply(`m${depth}`, [call(`t${depth}`, 'Agent')], { parent_tool_use_id: thread }) });
  }
  const count = (items: readonly Item[]): number =>
    items.reduce((sum, item) => sum + 1 + (item.kind === 'call' ? count(item.items) : 0), 0);
  expect(count(itemsOf(view.getSnapshot()))).toBe(20_000);
});
