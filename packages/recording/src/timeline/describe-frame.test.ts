import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RecordingEntry } from '../recording.ts';
import { describeFrame } from './describe-frame.ts';
import { Timeline } from './timeline.ts';

function described(entry: RecordingEntry): string {
  return describeFrame({ entry, message: new Timeline().push(entry).message });
}

const line = (message: object): string => described({ t: 0, dir: 'from-agent', line: JSON.stringify(message) });
const assistant = (...content: readonly object[]) => line({ type: 'assistant', message: { content } });
const request = (request: object) => line({ type: 'control_request', request_id: '1', request });
const answer = (response: object) => line({ type: 'control_response', response: { request_id: '1', ...response } });

test.each([
  [line({ type: 'user', message: { content: 'go\non' } }), '"go\\non"'],
  [
    assistant({ type: 'text', text: 'hi' }, { type: 'tool_use', name: 'Bash', input: { command: 'ls' } }),
    '"hi" · Bash(ls)',
  ],
  [assistant({ type: 'thinking', thinking: 'hm' }, { type: 'image' }), 'thinking "hm" · [image]'],
  [assistant({ type: 'tool_result', content: 'no', is_error: true }), 'failed "no"'],
  [assistant({ type: 'tool_result', content: [{ type: 'text', text: 'a' }] }), 'result "a"'],
  [
    line({ type: 'stream_event', event: { type: 'content_block_delta', delta: { text: 'a' } } }),
    'content_block_delta "a"',
  ],
  [line({ type: 'stream_event', event: { type: 'message_stop' } }), 'message_stop'],
  [
    line({ type: 'result', is_error: false, duration_ms: 1234, num_turns: 1, total_cost_usd: 0.5, result: 'ok' }),
    'done · 1.2 s, 1 round, $0.5000 · "ok"',
  ],
  [line({ type: 'result', is_error: true, num_turns: 2, errors: ['a', 'b'] }), 'failed · 2 rounds · "a; b"'],
  [line({ type: 'system', subtype: 'init', model: 'm', tools: ['a'], cwd: '/w' }), 'm, 1 tools, /w'],
  [line({ type: 'system', subtype: 'status', status: 'compacting', uuid: 'u' }), '{"status":"compacting"}'],
  [line({ type: 'keep_alive' }), ''],
  [request({ subtype: 'can_use_tool', tool_name: 'Read', input: { file_path: '/a/b' } }), 'Read(a/b)'],
  [request({ subtype: 'set_model', model: 'x' }), '{"model":"x"}'],
  [request({ subtype: 'mcp_message', server_name: 's', message: { method: 'tools/list' } }), 's: tools/list'],
  [request({ subtype: 'mcp_message', server_name: 's', message: { error: { code: 1 } } }), 's: error {"code":1}'],
  [request({ subtype: 'hook_callback', input: { hook_event_name: 'Stop', active: true } }), 'Stop {"active":true}'],
  [answer({ subtype: 'error', error: 'broken' }), 'broken'],
  [answer({ subtype: 'success', response: { behavior: 'deny', message: 'no' } }), 'deny "no"'],
  [answer({ subtype: 'success', response: { behavior: 'allow', updatedInput: { a: 1 } } }), 'allow with {"a":1}'],
  [answer({ subtype: 'success', response: { commands: [] } }), '{"commands":[]}'],
  [described({ t: 0, dir: 'from-host', line: 'no json' }), 'no json'],
  [described({ t: 0, dir: 'from-host', lost: 'overflow', excerpt: 'abc' }), 'abc'],
  [described({ t: 0, dir: 'from-host', end: true }), 'this side sends nothing more'],
  [
    described({ t: 0, link: 'up', attempt: 2, resumed: false }),
    'the link is up (attempt 2), not resumed: messages may be missing',
  ],
  [described({ t: 0, notice: 'control_resolved', data: { id: 1 } }), '{"id":1}'],
  [described({ t: 0, closed: 'link', error: 'lost', status: 1006 }), 'the link ended (lost, status 1006)'],
])('%s', (text, expected) => {
  expect(text).toBe(expected);
});

test('a long text is cut to 400 characters in one line', () => {
  const text = line({ type: 'user', message: { content: 'ab\n'.repeat(1_000_000) } });
  expect(text).toHaveLength(400);
  expect(text.endsWith('…')).toBe(true);
});

test('no message throws', () => {
  const types = fc.constantFrom(
    'user',
    'assistant',
    'stream_event',
    'result',
    'control_request',
    'control_response',
    'system',
    'moon',
  );
  const members = fc.constantFrom(
    'message',
    'event',
    'request',
    'response',
    'subtype',
    'input',
    'content',
    'tool_name',
    'errors',
  );
  fc.assert(
    fc.property(types, fc.dictionary(members, fc.anything({ withNullPrototype: false })), (type, rest) => {
      const entry = {
        t: 0,
        dir: 'from-agent',
        line: JSON.stringify({ ...rest, type }, (_, value: unknown) => (typeof value === 'bigint' ? 1 : value)),
      } as const;
      expect(described(entry)).not.toContain('\n');
    }),
  );
});

test('an exchange with the Messages API is described by what was asked or answered', () => {
  const parts: RecordingEntry[] = [
    { t: 0, api: 2, part: 'request', method: 'POST', path: '/v1/messages', model: 'm', messages: ['k'] },
    { t: 1, api: 2, part: 'answer', status: 200, headers: {} },
    { t: 2, api: 2, part: 'event', event: 'message_stop', data: '{"type":"message_stop"}' },
    { t: 3, api: 2, part: 'end', failed: 'AbortError' },
  ];
  expect(parts.map((entry) => describeFrame({ entry, message: undefined }))).toEqual([
    'exchange 2 POST /v1/messages m',
    'exchange 2 200',
    'exchange 2 message_stop {"type":"message_stop"}',
    'exchange 2 AbortError',
  ]);
  const timeline = new Timeline();
  expect(parts.map((entry) => timeline.push(entry).name)).toEqual([
    'api/request',
    'api/answer',
    'api/event',
    'api/end',
  ]);
  expect(timeline.counts).toMatchObject({ frames: 4, invalid: 0, lost: 0 });
});
