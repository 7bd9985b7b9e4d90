import { expect, test } from 'vitest';
import type { AgentEvent } from './events/agent-event.ts';
import { toProtoMessages } from './messages/to-proto-messages.ts';
import { TagScanner } from './parsers/tag-scanner.ts';

/** How much more CPU time eight times the work takes, as the least of three runs. 8 is linear, 64 is quadratic. */
function growth(n: number, work: (n: number) => void): number {
  const least = (size: number) =>
    Math.min(
      ...[1, 2, 3].map(() => {
        const before = process.cpuUsage();
        work(size);
        const { user, system } = process.cpuUsage(before);
        return user + system;
      }),
    );
  return least(8 * n) / least(n);
}

test.each([
  ['without end', '<event ', ''],
  ['with an end only after all of them', '<event ', '>'],
  ['in very short pieces', '<e', '>'],
])('the cost of repeated tag beginnings is linear in the length of the text: %s', (_, beginning, end) => {
  const ratio = growth(10_000, (n) => {
    const scanner = new TagScanner();
    scanner.push(beginning.repeat(n) + end);
    scanner.end();
  });
  expect(ratio).toBeLessThan(40);
});

test('the cost of a payload in small pieces is linear in the length of the text', () => {
  const ratio = growth(4000, (n) => {
    const scanner = new TagScanner(64 * n + 100);
    scanner.push('<event topic="a">');
    for (let at = 0; at < n; at++) scanner.push('x'.repeat(50));
    scanner.end();
  });
  expect(ratio).toBeLessThan(40);
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
