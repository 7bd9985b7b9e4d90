import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { amp, claude, qwen } from '../backends/claude-amp-qwen.ts';
import { factsOf, ofType, run, runLines, sampleNamed, samples } from '../samples.test-support.ts';

const init = { type: 'system', subtype: 'init', session_id: 's', model: 'm', cwd: '/w', tools: ['Bash'] };
const assistant = (content: unknown, more: object = {}) => ({
  type: 'assistant',
  message: { id: 'm1', role: 'assistant', content },
  parent_tool_use_id: null,
  ...more,
});
const toolResult = (id: string, more: object) => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, ...more }] },
  parent_tool_use_id: null,
});
const stream = (event: object, parent: string | null = null) => ({
  type: 'stream_event',
  event,
  parent_tool_use_id: parent,
});
const begin = stream({ type: 'message_start', message: { id: 'm1', content: [] } });
const block = (kind: string) => stream({ type: 'content_block_start', index: 0, content_block: { type: kind } });
const piece = (text: string, parent: string | null = null) =>
  stream({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }, parent);
const ended = (more: object = {}) => ({ type: 'result', subtype: 'success', is_error: false, result: 'x', ...more });

describe('messages', () => {
  verifies('ADAPT-8', 'init starts the session, and the result has time, cost, turns and tokens', async () => {
    const usage = { input_tokens: 5, output_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 1 };
    const end = ended({ usage, num_turns: 2, duration_ms: 7, total_cost_usd: 0.5, session_id: 's' });
    const status = { type: 'system', subtype: 'status', status: 'requesting' };
    const { events, result } = await runLines(claude, [init, status, { type: 'system', subtype: 'of_tomorrow' }, end]);
    expect(events.map(({ type }) => type)).toEqual(['session_start', 'info', 'unknown', 'usage', 'complete']);
    expect(events[0]).toMatchObject({ sessionId: 's', model: 'm', cwd: '/w', tools: ['Bash'] });
    expect(result).toMatchObject({ ok: true, turns: 2, durationMs: 7, costUsd: 0.5, text: 'x', sessionId: 's' });
    expect(result.usage).toMatchObject({ inputTokens: 5, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 1 });
  });

  verifies(['ADAPT-9', 'ADAPT-4'], 'the blocks of an assistant line yield texts and tool calls in order', async () => {
    const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } };
    const blocks = [{ type: 'thinking', thinking: 'hm' }, { type: 'text', text: 'a' }, call, { type: 'citation' }];
    const { events, malformed } = await runLines(claude, [assistant(blocks), assistant('b')]);
    expect(events.slice(0, 5)).toMatchObject([
      { type: 'thinking', text: 'hm', delta: false },
      { type: 'text', text: 'a', delta: false, messageId: 'm1' },
      { type: 'tool_call', id: 't1', name: 'Bash', input: { command: 'ls' } },
      { type: 'unknown', eventType: 'assistant/citation' },
      { type: 'text', text: 'b' },
    ]);
    expect(malformed).toEqual([]);
  });

  verifies('ADAPT-10', 'tool results have a text for every form of their content', async () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'image', source: {} },
      { type: 'text', text: 'b' },
    ];
    const { events } = await runLines(claude, [
      assistant([1, 2, 3].map((n) => ({ type: 'tool_use', id: `t${n}`, name: 'X', input: {} }))),
      toolResult('t1', { content: 'plain' }),
      toolResult('t2', { content, is_error: true }),
      toolResult('t3', {}),
    ]);
    expect(ofType(events, 'tool_result')).toMatchObject([
      { id: 't1', output: 'plain', isError: false },
      { id: 't2', output: 'a\nb', isError: true, content },
      { id: 't3', output: '', isError: false },
    ]);
  });

  test('of a sub-agent have its parent id, and their text is not part of the answer', async () => {
    const nested = { parent_tool_use_id: 'task' };
    const { events, result } = await runLines(claude, [
      assistant([{ type: 'tool_use', id: 'task', name: 'Task', input: {} }]),
      assistant([{ type: 'text', text: 'inner' }], nested),
      assistant([{ type: 'tool_use', id: 'in', name: 'Bash', input: {} }], nested),
      { ...toolResult('in', { content: 'ok' }), ...nested },
      toolResult('task', { content: 'done' }),
      assistant([{ type: 'text', text: 'outer' }]),
      { type: 'result', is_error: false },
    ]);
    expect(ofType(events, 'text').map(({ text, parentId }) => [text, parentId])).toEqual([
      ['inner', 'task'],
      ['outer', undefined],
    ]);
    expect(ofType(events, 'tool_call').map(({ parentId }) => parentId)).toEqual([undefined, 'task']);
    expect(result.text).toBe('outer');
  });

  test('that stand for an API error yield one error', async () => {
    const synthetic = assistant([{ type: 'text', text: 'API Error: 529' }], {
      error: 'overloaded',
      api_error_status: 529,
    });
    const end = ended({ is_error: true, result: 'API Error: 529', terminal_reason: 'api_error' });
    const { events, result } = await runLines(claude, [synthetic, end], 1);
    expect(ofType(events, 'error')).toMatchObject([{ message: 'API Error: 529', status: 529, code: 'overloaded' }]);
    expect(ofType(events, 'text')).toEqual([]);
    expect(result).toMatchObject({ ok: false, reason: 'error', error: 'API Error: 529' });
  });
});

describe('streamed text', () => {
  test.each([
    ['before the stop of its block', claude, [piece('ab'), piece('c'), assistant([{ type: 'text', text: 'abc' }])]],
    ['after it, with another id', qwen, [piece('abc'), assistant([{ type: 'text', text: 'abc' }], { uuid: 'u' })]],
    [
      'with pieces lost in the middle',
      claude,
      [piece('a'), 'broken', piece('c'), assistant([{ type: 'text', text: 'abc' }])],
    ],
  ])('is not repeated by the whole message: %s', async (_, backend, lines) => {
    const { events } = await runLines(backend, [begin, block('text'), ...lines]);
    expect(ofType(events, 'text').every(({ delta }) => delta)).toBe(true);
    expect(['abc', 'ac']).toContain(
      factsOf({ events, malformed: [], result: (await runLines(backend, [])).result }).text,
    );
  });

  test('is completed by the whole message when its last pieces were lost', async () => {
    const { events } = await runLines(claude, [
      begin,
      block('text'),
      piece('ab'),
      '{',
      assistant([{ type: 'text', text: 'abc' }]),
    ]);
    expect(ofType(events, 'text').map(({ text }) => text)).toEqual(['ab', 'c']);
  });

  test('does not suppress other text', async () => {
    const error = assistant([{ type: 'text', text: '[API Error: cut]' }]);
    const { events } = await runLines(qwen, [begin, block('text'), piece('Hello wor'), error]);
    expect(ofType(events, 'text').map(({ text }) => text)).toEqual(['Hello wor', '[API Error: cut]']);
  });

  test('of several blocks and sub-agents at once is matched by block and sub-agent', async () => {
    const { events } = await runLines(claude, [
      begin,
      block('text'),
      piece('a'),
      stream({ type: 'message_start' }, 'task'),
      piece('inner', 'task'),
      assistant([{ type: 'text', text: 'a' }]),
      assistant([{ type: 'text', text: 'inner' }], { parent_tool_use_id: 'task' }),
      block('text'),
      piece('b'),
      assistant([{ type: 'text', text: 'b' }]),
    ]);
    expect(ofType(events, 'text').map(({ text }) => text)).toEqual(['a', 'inner', 'b']);
  });

  test('with unknown events is counted', async () => {
    const odd = [stream({ type: 'goal_state' }), stream({ type: 'content_block_delta', delta: { type: 'odd_delta' } })];
    const { result } = await runLines(claude, odd);
    expect(result.stats.unknown).toEqual({ 'stream_event/goal_state': 1, 'stream_event/odd_delta': 1 });
  });
});

describe('the end of a run', () => {
  test.each([
    [{ subtype: 'success', is_error: false }, 0, 'success'],
    [{ subtype: 'success', is_error: true, result: 'API Error', terminal_reason: 'api_error' }, 1, 'error'],
    [{ subtype: 'error_max_turns', is_error: true, terminal_reason: 'max_turns' }, 1, 'max_turns'],
    [{ subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_streaming' }, 0, 'aborted'],
    [{ subtype: 'error_during_execution', is_error: true, errors: ['a', 'b'] }, 1, 'error'],
    [{ subtype: 'success' }, 0, 'error'],
  ])('%o with exit code %i is %s', async (more, exitCode, reason) => {
    const { result } = await runLines(claude, [{ type: 'result', ...more }], exitCode);
    expect(result).toMatchObject({ reason, ok: reason === 'success', terminalEventSeen: true });
  });

  test('with several turns has the tokens of all turns', async () => {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const lines = [ended({ usage, total_cost_usd: 1 }), ended({ usage, total_cost_usd: 2, result: 'y' })];
    const { result } = await runLines(claude, lines);
    expect(result).toMatchObject({ text: 'y', costUsd: 2, usage: { inputTokens: 2, outputTokens: 2 } });
  });
});

describe('Amp', () => {
  test('adds up the tokens of its replies, and recognizes a cancelled run by its text', async () => {
    const end = { type: 'result', subtype: 'error_during_execution', is_error: true, error: 'Operation cancelled' };
    const { result } = await runLines(amp, [end], 0);
    expect(result).toMatchObject({ ok: false, reason: 'aborted', error: 'Operation cancelled' });
    const { bytes } = sampleNamed('amp-basic.jsonl');
    expect(ofType((await run(amp, [bytes])).events, 'usage').map(({ scope }) => scope)).toEqual([
      'step',
      'step',
      'step',
    ]);
  });

  test.each([
    ['Operation cancelled', 'aborted'],
    ['The request was canceled by the user.', 'aborted'],
    ['User cancelled', 'aborted'],
    ['User cancelled (SIGINT/SIGTERM)', 'aborted'],
    ['User cancelled: Ctrl-C', 'aborted'],
    ['User cancelled the request', 'aborted'],
    ['User canceled during tool execution', 'aborted'],
    ['Error: The operation was aborted.', 'aborted'],
    ['AbortError: This operation was aborted', 'aborted'],
    ['Interrupted by user (SIGINT)', 'aborted'],
    ['Thread cancelled. Resume it with amp threads continue', 'aborted'],
    ['cancelled', 'aborted'],
    ['400 {"error":{"message":"the subscription of this account was cancelled"}}', 'error'],
    ['Tool cancel_order failed', 'error'],
    ['Cannot cancel a payment that is settled', 'error'],
    ['Subscription cancelled', 'error'],
    ['User cancelled their subscription', 'error'],
    ['Cancelled subscription: renew it to go on', 'error'],
    ['Your plan was cancelled', 'error'],
    ['User not found', 'error'],
    ['Operation cancelledness is unknown', 'error'],
  ])('is cancelled only by a text that reports a cancelled run: %s', async (error, reason) => {
    const end = { type: 'result', subtype: 'error_during_execution', is_error: true, error };
    expect((await runLines(amp, [end], 0)).result).toMatchObject({ ok: false, reason, error });
  });

  test('is not cancelled by any error that was recorded of any agent, and is by what a version puts after the sentence', async () => {
    const reasonOf = async (error: string) => {
      const end = { type: 'result', subtype: 'error_during_execution', is_error: true, error };
      return (await runLines(amp, [end], 0)).result.reason;
    };
    const recorded = samples.flatMap(({ expected }) => expected.errors);
    expect(recorded.length).toBeGreaterThan(5);
    for (const error of recorded) expect(await reasonOf(error)).toBe('error');
    for (const rest of [
      '',
      '.',
      ' (SIGINT)',
      ' (SIGTERM).',
      ', exiting',
      ' - code 130',
      '\n    at process.emit',
      ' by a signal',
    ])
      expect(await reasonOf(`User cancelled${rest}`)).toBe('aborted');
  });

  test('may print a login dialogue at any place', async () => {
    const { result } = await runLines(amp, ['No API key found. Starting login flow...', 'Press enter'], 1);
    expect(result).toMatchObject({ ok: false, reason: 'incomplete', stats: { malformed: 2 } });
  });
});

describe('Qwen', () => {
  test('subtracts cached tokens from its input tokens', async () => {
    const usage = { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 4 };
    expect((await runLines(qwen, [ended({ usage })])).result.usage).toMatchObject({
      inputTokens: 6,
      cacheReadTokens: 4,
    });
  });

  test.each([
    [53, 'max_turns'],
    [130, 'aborted'],
  ])('without a result, exit code %i means %s', async (exitCode, reason) => {
    expect((await runLines(qwen, [init], exitCode)).result).toMatchObject({ ok: false, reason });
  });
});
