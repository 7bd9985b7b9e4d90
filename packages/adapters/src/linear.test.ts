import { growth, MOST_GROWTH } from '@proto/test-support';
import { expect, test } from 'vitest';
import type { AgentEvent } from './events/agent-event.ts';
import { toProtoMessages } from './messages/to-proto-messages.ts';
import { TagScanner } from './parsers/tag-scanner.ts';

test.each([
  ['without end', '<event ', ''],
  ['with an end only after all of them', '<event ', '>'],
  ['in very short pieces', '<e', '>'],
])('the cost of repeated tag beginnings is linear in the length of the text: %s', (_, beginning, end) => {
  const ratio = growth(10_000, (n) => () => {
    const scanner = new TagScanner();
    scanner.push(beginning.repeat(n) + end);
    scanner.end();
  });
  expect(ratio).toBeLessThan(MOST_GROWTH);
});

test('the cost of a payload in small pieces is linear in the length of the text', () => {
  const ratio = growth(4000, (n) => () => {
    const scanner = new TagScanner(64 * n + 100);
    scanner.push('<event topic="a">');
    for (let at = 0; at < n; at++) scanner.push('x'.repeat(50));
    scanner.end();
  });
  expect(ratio).toBeLessThan(MOST_GROWTH);
});

test('with too many open replies of sub-agents, the oldest reply is ended', async () => {
  async function* events(): AsyncGenerator<AgentEvent> {
    for (let n = 0; n < 3000; n++) yield { type: 'text', text: 'x', delta: true, parentId: `t${n}` };
  }
  const ended: unknown[] = [];
  for await (const { type, parent_tool_use_id: parent } of toProtoMessages(events())) {
    if (type === 'assistant') ended.push(parent);
  }
  expect(ended.slice(0, 2)).toEqual(['t0', 't1']);
  expect(ended.length).toBeGreaterThan(1900);
});

test('an endless text is split into blocks of at most 16 Mi characters', async () => {
  const piece = 'x'.repeat(4 * 1024 * 1024);
  async function* events(): AsyncGenerator<AgentEvent> {
    for (let n = 0; n < 9; n++) yield { type: 'text', text: piece, delta: true };
  }
  const lengths: number[] = [];
  for await (const { type, message } of toProtoMessages(events())) {
    if (type !== 'assistant') continue;
    const [block] = (message as { content: { text: string }[] }).content;
    lengths.push(block?.text.length ?? 0);
  }
  expect(lengths).toEqual([4, 4].map((pieces) => pieces * piece.length));
});
