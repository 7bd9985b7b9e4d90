import { PassThrough } from 'node:stream';
import type { WireMessage } from '@proto/core/framing';
import { describe, expect, test } from 'vitest';
import { type ColorMode, createPaint } from './terminal-text.ts';
import { createTextView } from './text-view.ts';

const event = (id: string | undefined, ...events: object[]): WireMessage[] =>
  [{ type: 'message_start', message: { id } }, ...events].map((each) => ({
    type: 'stream_event',
    event: each,
    parent_tool_use_id: null,
  }));
const delta = (text: string) => ({ type: 'content_block_delta', delta: { type: 'text_delta', text } });
const assistant = (id: string, content: readonly object[], parent: string | null = null): WireMessage => ({
  type: 'assistant',
  message: { id, role: 'assistant', content },
  parent_tool_use_id: parent,
});
const toolResult = (content: unknown, isError = false): WireMessage => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', content, is_error: isError }] },
  parent_tool_use_id: null,
});
const result = (members: object): WireMessage => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  duration_ms: 1234,
  num_turns: 1,
  ...members,
});

function shown(messages: readonly WireMessage[], options: { columns?: number; color?: ColorMode } = {}): string {
  const { columns = 80, color = 'never' } = options;
  const output = Object.assign(new PassThrough(), { columns });
  const view = createTextView({ output, paint: createPaint(color, {}, {}), cwd: '/work' });
  for (const message of messages) view.message(message);
  view.end();
  return String(output.read() ?? '');
}

describe('text', () => {
  const text = { type: 'text', text: 'Hello 世界' };

  test('is shown as it streams, and not repeated by the whole message', () => {
    const streamed = event('m1', delta('Hello '), delta('世界'));
    expect(shown([...streamed, assistant('m1', [text]), ...event(undefined)])).toBe('Hello 世界\n');
  });

  test('is shown from the whole message when it did not stream', () => {
    expect(shown([assistant('m1', [text]), assistant('m2', [text])])).toBe('Hello 世界\nHello 世界\n');
  });

  test('of a subagent is not shown', () => {
    const call = { type: 'tool_use', name: 'Read', input: { file_path: 'a' } };
    expect(shown([assistant('m1', [text, call], 't1')])).toBe('  ● Read(a)\n');
  });

  test('has its control characters escaped', () => {
    expect(shown(event('m', delta('a\u001b[2Jb\r\u009b1m\u202ec\n')))).toBe('a\\u{1b}[2Jb\\u{d}\\u{9b}1m\\u{202e}c\n');
  });
});

describe('a call', () => {
  const call = (name: string, input: object) => assistant('m', [{ type: 'tool_use', name, input }]);

  test.each([
    [call('Read', { file_path: '/work/src/a.ts' }), '● Read(src/a.ts)\n'],
    [call('Read', { file_path: '/etc/hosts' }), '● Read(/etc/hosts)\n'],
    [call('Bash', { command: 'ls -l\n  | wc', description: 'Counts' }), '● Bash(ls -l | wc)\n'],
    [call('mcp__a__b', { n: 1 }), '● mcp__a__b({"n":1})\n'],
    [call('Odd', {}), '● Odd({})\n'],
  ])('is one line %#', (message, line) => {
    expect(shown([message])).toBe(line);
  });

  test('is cut to the width of the terminal, counting wide characters twice', () => {
    expect(shown([call('Bash', { command: '幅'.repeat(50) })], { columns: 20 })).toBe(`● Bash(${'幅'.repeat(6)}…\n`);
  });

  test('is followed by the beginning of its result', () => {
    expect(shown([toolResult('one\ntwo\nthree\n')])).toBe('  └ one (+2 lines)\n');
    expect(shown([toolResult([{ type: 'text', text: 'seen' }, { type: 'image' }])])).toBe('  └ seen (+1 lines)\n');
  });

  test('starts on a new line after open text', () => {
    expect(shown([...event('m', delta('text')), call('Read', { path: 'x' })])).toBe('text\n● Read(x)\n');
  });
});

describe('the end of a turn', () => {
  test.each([
    [{ total_cost_usd: 0.01234 }, '✔ done in 1.2 s · 1 turn · $0.0123\n'],
    [{ num_turns: 2 }, '✔ done in 1.2 s · 2 turns\n'],
    [
      { is_error: true, subtype: 'error_max_turns', errors: ['too many'] },
      '✖ error_max_turns after 1.2 s · 1 turn: too many\n',
    ],
    [{ is_error: true, terminal_reason: 'api_error', result: 'No.' }, '✖ api_error after 1.2 s · 1 turn: No.\n'],
    [{ is_error: true, terminal_reason: 'aborted_streaming' }, '■ interrupted after 1.2 s · 1 turn\n'],
  ])('%o', (members, line) => {
    expect(shown([result(members)])).toBe(line);
  });

  test('is coloured in color mode always', () => {
    expect(shown([result({})], { color: 'always' })).toContain('\u001b[32m✔\u001b[39m done');
  });
});

describe('color', () => {
  test.each([
    ['auto', {}, true, true],
    ['auto', {}, false, false],
    ['auto', { NO_COLOR: '1' }, true, false],
    ['auto', { NO_COLOR: '' }, true, true],
    ['auto', { TERM: 'dumb' }, true, false],
    ['auto', { FORCE_COLOR: '1' }, false, true],
    ['auto', { FORCE_COLOR: '0' }, true, false],
    ['always', { NO_COLOR: '1' }, false, true],
    ['never', { FORCE_COLOR: '1' }, true, false],
  ] as const)('%s with %o on a terminal: %s', (mode, env, isTTY, colored) => {
    expect(createPaint(mode, env, { isTTY })('red', 'x') !== 'x').toBe(colored);
  });
});
