import type { WireMessage } from '@proto/core/framing';
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { recordedMessages } from '../recorded.test-support.ts';
import { INITIAL_STREAM_REPORT, reportEnd, reportMessage } from './stream-report.ts';

const calls = (...ids: string[]) => ({
  type: 'assistant',
  message: { content: ids.map((id) => ({ type: 'tool_use', id, name: 'Read', input: {} })) },
});
const results = (...ids: string[]) => ({
  type: 'user',
  message: { content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id })) },
});
const text = { type: 'assistant', message: { content: [{ type: 'text', text: 'hi' }] } };
const prompt = { type: 'user', message: { content: 'hi' } };
const echo = { ...results('a'), isReplay: true };
const over = { type: 'result' };

const CASES: readonly [string, WireMessage[], object][] = [
  ['no message', [], { toolsRequested: 0, hasResult: false, issues: [] }],
  ['a turn without tools', [prompt, text, over], { toolsRequested: 0, toolsReceived: 0, hasResult: true, issues: [] }],
  ['a turn without a result', [prompt, text], { hasResult: false, issues: [] }],
  [
    'tool calls with their results, in any order',
    [calls('a', 'b'), calls('c'), results('b'), results('c', 'a'), echo, over],
    { toolsRequested: 3, toolsReceived: 3, pendingTools: [], issues: [] },
  ],
  [
    'a tool call without a tool result',
    [calls('a', 'b'), results('b'), over],
    { pendingTools: ['a'], issues: [{ code: 'missing-tool-result', toolUseId: 'a' }] },
  ],
  [
    'a repeated tool result, and a tool result without a call',
    [calls('a'), results('a'), results('a', 'x'), over],
    {
      toolsReceived: 3,
      issues: [
        { code: 'extra-tool-result', toolUseId: 'a' },
        { code: 'extra-tool-result', toolUseId: 'x' },
      ],
    },
  ],
  ['tool calls without a final result', [calls('a'), results('a')], { issues: [{ code: 'missing-result' }] }],
];

verifies('HOST-10', 'the report counts tool calls and results, and names missing and extra results', () => {
  for (const [name, messages, expected] of CASES) {
    const report = messages.reduce(reportMessage, INITIAL_STREAM_REPORT);
    expect(report.streamEnded, name).toBe(false);
    expect(reportEnd(report), name).toMatchObject({ ...expected, streamEnded: true });
  }
});

verifies('HOST-10', 'the report of recorded turns with tools has no issue', () => {
  for (const name of [
    'can-use-tool-parallel',
    'mcp-stdio',
    'hooks',
    'subagent',
    'interrupt-while-permission-pending',
  ]) {
    const report = reportEnd(recordedMessages(name).reduce(reportMessage, INITIAL_STREAM_REPORT));
    expect(report, name).toMatchObject({ hasResult: true, pendingTools: [], issues: [] });
    expect(report.toolsRequested, name).toBeGreaterThan(0);
  }
});

test('a report remembers a bounded number of calls and issues', () => {
  const ids = Array.from({ length: 1500 }, (_, index) => `t${index}`);
  const report = [calls(...ids), results(...ids.map((id) => `x${id}`))].reduce(reportMessage, INITIAL_STREAM_REPORT);
  expect(report).toMatchObject({ toolsRequested: 1500, toolsReceived: 1500 });
  expect([report.pendingTools.length, report.issues.length]).toEqual([1000, 1000]);
});
