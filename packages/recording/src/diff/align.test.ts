import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { align, type Run } from './align.ts';

/** The length of the longest common subsequence, computed with the table of all prefixes. */
function longest(a: readonly number[], b: readonly number[]): number {
  let row = Array.from({ length: b.length + 1 }, () => 0);
  for (const one of a) {
    const next = [0];
    for (const [at, other] of b.entries()) {
      next.push(one === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Counts the pairs of equal values in the runs. The runs must be in order. */
function pairsOf(runs: readonly Run[], a: readonly number[], b: readonly number[]): number {
  let [fromA, fromB, pairs] = [0, 0, 0];
  for (const run of runs) {
    expect(run.a).toBeGreaterThanOrEqual(fromA);
    expect(run.b).toBeGreaterThanOrEqual(fromB);
    expect(a.slice(run.a, run.a + run.length)).toEqual(b.slice(run.b, run.b + run.length));
    [fromA, fromB, pairs] = [run.a + run.length, run.b + run.length, pairs + run.length];
  }
  return pairs;
}

describe('what two sequences have in common', () => {
  test('is as long as possible where few values differ', () => {
    const values = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 60 });
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(pairsOf(align(a, b), a, b)).toBe(longest(a, b));
      }),
      { numRuns: 500 },
    );
  });

  test('is found by values that occur once where many differ', () => {
    const a = Array.from({ length: 4000 }, (_, at) => (at % 10 === 0 ? at : 1_000_000 + at));
    const b = Array.from({ length: 4000 }, (_, at) => (at % 10 === 0 ? at : 2_000_000 + at));
    expect(pairsOf(align(a, b), a, b)).toBe(400);
  });

  test('may be nothing', () => {
    expect(align([1, 2], [3])).toEqual([]);
    expect(align([], [3])).toEqual([]);
    const many = (value: number) => Array.from({ length: 3000 }, (_, at) => value + (at % 2));
    expect(align(many(0), many(10))).toEqual([]);
  });

  test('of a long sequence with one change is two runs', () => {
    const a = Array.from({ length: 100_000 }, (_, at) => at % 7);
    const b = a.with(50_000, 99);
    expect(align(a, b)).toEqual([
      { a: 0, b: 0, length: 50_000 },
      { a: 50_001, b: 50_001, length: 49_999 },
    ]);
  });
});
