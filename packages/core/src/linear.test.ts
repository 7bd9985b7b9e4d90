import { growth, MOST_GROWTH } from '@proto/test-support';
import { describe, expect, test } from 'vitest';
import { OrderedCursors } from './transport/connect/fallback-input.ts';
import { RecentIds } from './transport/queues/recent-ids.ts';

const ids = (count: number) => Array.from({ length: count }, (_, n) => `id${n}`);

describe('the cost of input from a peer grows in proportion to its size', () => {
  test('for cursors that are acknowledged one by one', () => {
    const ratio = growth(12_000, (n) => {
      const cursors = new OrderedCursors(undefined);
      const all = ids(n);
      return () => {
        for (const id of all) cursors.received(id);
        for (const id of all) cursors.acknowledge(id);
      };
    });
    expect(ratio).toBeLessThan(MOST_GROWTH);
  });

  test('for ids that evict the oldest ids', () => {
    const ratio = growth(8000, (n) => {
      const recent = new RecentIds(n / 2);
      const all = ids(n);
      return () => {
        for (const id of all) recent.add(id);
      };
    });
    expect(ratio).toBeLessThan(MOST_GROWTH);
  });
});

test('RecentIds evicts the oldest ids above its number and its total length', () => {
  const recent = new RecentIds(3, 10);
  for (const id of ['a', 'b', 'c', 'a', 'd']) recent.add(id);
  expect(['a', 'b', 'c', 'd'].map((id) => recent.has(id))).toEqual([false, true, true, true]);
  recent.add('123456789');
  expect([recent.has('c'), recent.has('d'), recent.size]).toEqual([false, true, 2]);
  recent.add('12345678901');
  expect(recent.size).toBe(0);
});
