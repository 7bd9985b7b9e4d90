import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { WireMessage } from '@proto/core/framing';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { SessionUpdates } from './session-updates.ts';

const assistant = (id: string, ...content: object[]): WireMessage => ({
  type: 'assistant',
  parent_tool_use_id: null,
  message: { id, role: 'assistant', content },
});
const event = (members: object): WireMessage => ({ type: 'stream_event', parent_tool_use_id: null, event: members });
const begin = (id: string) => event({ type: 'message_start', message: { id } });
const piece = (delta: object) => event({ type: 'content_block_delta', index: 0, delta });
const call = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
const result = (id: string, content: unknown, more: object = {}): WireMessage => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, ...more }] },
});
const updatesOf = (withPrompts = false) => new SessionUpdates({ cwd: '/work', withPrompts });
const all = (messages: readonly WireMessage[], updates = updatesOf()) => {
  return messages.flatMap((message) => updates.of(message));
};
const textsOf = (updates: readonly SessionUpdate[]) =>
  updates.map((update) => {
    const { content } = update as { content?: { text?: string } };
    return [update.sessionUpdate, content?.text];
  });

describe('replies', () => {
  const streamed = [
    begin('m1'),
    piece({ type: 'thinking_delta', thinking: 'let me ' }),
    piece({ type: 'thinking_delta', thinking: 'see' }),
    assistant('m1', { type: 'thinking', thinking: 'let me see' }),
    piece({ type: 'text_delta', text: 'one ' }),
    piece({ type: 'text_delta', text: 'two' }),
    assistant('m1', { type: 'text', text: 'one two' }),
  ];

  verifies('EDITOR-1', 'are sent once, although whole messages repeat what was streamed', () => {
    expect(textsOf(all(streamed))).toEqual([
      ['agent_thought_chunk', 'let me '],
      ['agent_thought_chunk', 'see'],
      ['agent_message_chunk', 'one '],
      ['agent_message_chunk', 'two'],
    ]);
  });

  verifies('EDITOR-1', 'are complete if the agent streams nothing, or only a part', () => {
    expect(textsOf(all([assistant('m1', { type: 'text', text: 'one two' })]))).toEqual([
      ['agent_message_chunk', 'one two'],
    ]);
    const cut = [
      begin('m1'),
      piece({ type: 'text_delta', text: 'one' }),
      assistant('m1', { type: 'text', text: 'one two' }),
    ];
    expect(textsOf(all(cut)).map(([, text]) => text)).toEqual(['one', ' two']);
  });

  verifies('EDITOR-1', 'are complete if a thought is streamed only in part', () => {
    const whole = assistant('m1', { type: 'thinking', thinking: 'let me see' });
    expect(textsOf(all([begin('m1'), piece({ type: 'thinking_delta', thinking: 'let' }), whole]))).toEqual([
      ['agent_thought_chunk', 'let'],
      ['agent_thought_chunk', ' me see'],
    ]);
  });

  verifies('EDITOR-5', 'have the same ids and texts when they are stored', () => {
    const replayed = updatesOf(true).of(
      assistant('m1', { type: 'thinking', thinking: 'let me see' }, { type: 'text', text: 'one two' }),
    );
    const ids = (updates: readonly SessionUpdate[]) =>
      new Set(updates.map((update) => (update as { messageId?: string }).messageId));
    expect(ids(replayed)).toEqual(ids(all(streamed)));
    expect(textsOf(replayed)).toEqual([
      ['agent_thought_chunk', 'let me see'],
      ['agent_message_chunk', 'one two'],
    ]);
  });

  test('of subagents are left out, but the calls of subagents name the call that started the subagent', () => {
    const child = {
      ...assistant('m2', { type: 'text', text: 'below' }, call('t2', 'Read', { file_path: '/a' })),
      parent_tool_use_id: 't1',
    };
    expect(all([child])).toEqual([
      expect.objectContaining({ sessionUpdate: 'tool_call', toolCallId: 't2', _meta: { parentToolCallId: 't1' } }),
    ]);
  });
});

describe('tool calls', () => {
  test.each([
    ['Read', { file_path: '/work/a' }, { title: 'Read a', locations: [{ path: '/work/a' }] }],
    ['Read', { file_path: '/a', offset: 3 }, { title: 'Read /a', kind: 'read', locations: [{ path: '/a', line: 3 }] }],
    ['Bash', { command: 'ls', description: 'Lists' }, { title: 'ls', kind: 'execute' }],
    ['Grep', { pattern: 'x', path: '/s' }, { title: 'Search "x" in /s', kind: 'search' }],
    ['WebFetch', { url: 'https://a.example' }, { title: 'Fetch https://a.example', kind: 'fetch' }],
    ['Agent', { description: 'Finds it', prompt: 'Find it' }, { title: 'Finds it', kind: 'think' }],
    ['mcp__files__read', {}, { title: 'read (files)', kind: 'other' }],
    ['constructor', {}, { title: 'constructor', kind: 'other' }],
    [
      'Write',
      { file_path: '/a', content: 'new' },
      { content: [{ type: 'diff', path: '/a', oldText: null, newText: 'new' }] },
    ],
    [
      'Edit',
      { file_path: '/a', old_string: 'x', new_string: 'y' },
      { kind: 'edit', content: [{ type: 'diff', path: '/a', oldText: 'x', newText: 'y' }] },
    ],
  ])('%s is shown with its title, kind and changes', (name, input, shown) => {
    expect(all([assistant('m1', call('t1', name, input))])).toEqual([
      expect.objectContaining({
        sessionUpdate: 'tool_call',
        toolCallId: 't1',
        status: 'pending',
        rawInput: input,
        ...shown,
      }),
    ]);
  });

  verifies('EDITOR-2', 'end with their result, once', () => {
    const [, done, ...rest] = all([assistant('m1', call('t1', 'Bash', {})), result('t1', 'hi'), result('t1', 'hi')]);
    expect(done).toEqual({
      sessionUpdate: 'tool_call_update',
      toolCallId: 't1',
      status: 'completed',
      rawOutput: 'hi',
      content: [{ type: 'content', content: { type: 'text', text: '```console\nhi\n```' } }],
    });
    expect(rest).toEqual([]);
    const [, failed] = all([assistant('m1', call('t1', 'Bash', {})), result('t1', 'no', { is_error: true })]);
    expect(failed).toMatchObject({ status: 'failed', content: [{ content: { text: '```\nno\n```' } }] });
  });

  verifies('EDITOR-2', 'without a result end with the turn', () => {
    const updates = updatesOf();
    updates.of(assistant('m1', call('t1', 'Bash', {}), call('t2', 'TodoWrite', {})));
    expect(updates.calls.end()).toEqual([{ sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'failed' }]);
    expect(updates.calls.end()).toEqual([]);
  });

  test('of a subagent that works in the background do not end with the turn', () => {
    const updates = updatesOf();
    const child = { ...assistant('m2', call('t2', 'Read', {})), parent_tool_use_id: 't1' };
    for (const message of [assistant('m1', call('t1', 'Agent', {})), result('t1', 'started'), child])
      updates.of(message);
    expect(updates.calls.end()).toEqual([]);
    expect(updates.of({ ...result('t2', 'read'), parent_tool_use_id: 't1' })).toMatchObject([{ status: 'completed' }]);
  });

  verifies('EDITOR-2', 'of a subagent end when the call of the subagent fails', () => {
    const child = { ...assistant('m2', call('t2', 'Read', {})), parent_tool_use_id: 't1' };
    const updates = all([assistant('m1', call('t1', 'Agent', {})), child, result('t1', 'no', { is_error: true })]);
    expect(updates.slice(2)).toMatchObject([
      { toolCallId: 't2', status: 'failed' },
      { toolCallId: 't1', status: 'failed' },
    ]);
  });

  test('of an edit keep their diff when they succeed', () => {
    const [, done] = all([assistant('m1', call('t1', 'Edit', { file_path: '/a' })), result('t1', 'ok')]);
    expect(done).not.toHaveProperty('content');
  });

  test('that write a file show what was in the file before', () => {
    const output = { type: 'update', filePath: '/a', content: 'new', originalFile: 'old' };
    const written = { ...result('t1', 'ok'), tool_use_result: output };
    const [, done] = all([assistant('m1', call('t1', 'Write', { file_path: '/a', content: 'new' })), written]);
    expect(done).toMatchObject({ content: [{ type: 'diff', path: '/a', oldText: 'old', newText: 'new' }] });
  });

  test('of a subagent show its answer, without what is written for the model', () => {
    const [, ended] = all([
      assistant('m1', call('t1', 'Agent', { description: 'look', prompt: 'look around' })),
      {
        ...result('t1', 'the answer\nagentId: a1'),
        tool_use_result: { status: 'completed', content: [{ type: 'text', text: 'the answer' }] },
      },
    ]);
    expect(ended).toMatchObject({
      content: [{ content: { text: 'the answer' } }],
      rawOutput: 'the answer\nagentId: a1',
    });
  });

  test('are shown in a fence that their text cannot close', () => {
    const [, done] = all([assistant('m1', call('t1', 'Read', {})), result('t1', 'a\n```\nb')]);
    expect(done).toMatchObject({ content: [{ content: { text: '````\na\n```\nb\n````' } }] });
  });

  test('of the list of tasks are shown as a plan', () => {
    const todos = [
      { content: 'one', status: 'completed' },
      { content: 'two', status: 'odd' },
    ];
    expect(all([assistant('m1', call('t1', 'TodoWrite', { todos })), result('t1', 'ok')])).toEqual([
      {
        sessionUpdate: 'plan',
        entries: [
          { content: 'one', priority: 'medium', status: 'completed' },
          { content: 'two', priority: 'medium', status: 'pending' },
        ],
      },
    ]);
  });
});

test('the usage is the context of the last reply of the main conversation', () => {
  const usage = { input_tokens: 5, cache_read_input_tokens: 20, output_tokens: 1 };
  const reply: WireMessage = { type: 'assistant', parent_tool_use_id: null, message: { id: 'm1', content: [], usage } };
  const subagent = {
    ...reply,
    parent_tool_use_id: 't1',
    message: { id: 'm2', content: [], usage: { input_tokens: 900 } },
  };
  const end: WireMessage = { type: 'result', total_cost_usd: 0.5, modelUsage: { m: { contextWindow: 200 } } };
  expect(all([reply, subagent, end])).toEqual([
    { sessionUpdate: 'usage_update', used: 26, size: 200, cost: { amount: 0.5, currency: 'USD' } },
  ]);
  expect(all([reply, { type: 'result' }])).toEqual([]);
});

test.each([
  { type: 'x_of_tomorrow' },
  { type: 'assistant' },
  { type: 'user', message: null },
  { type: 'stream_event', event: 3 },
])('a message that is not understood has no updates: %j', (message) => {
  expect(all([message])).toEqual([]);
  expect(all([message], updatesOf(true))).toEqual([]);
});
