/** A run of values that two sequences have in common: its position in each sequence, and its length. */
export interface Run {
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

/** The ends of the ranges are exclusive. */
interface Range {
  readonly a: number;
  readonly aEnd: number;
  readonly b: number;
  readonly bEnd: number;
}

type Values = ArrayLike<number>;

// The time and memory of the search grow with the square of the number of differences, but most recordings differ in only a few messages.
const FEW_EDITS = 256;
// The limit for a part without anchors. 1 000 differences need 4 MB.
const MAX_EDITS = 1000;

/**
 * The runs are in order. If few values differ, the result is the longest common subsequence. Otherwise, values that occur exactly once in each
 * sequence are used as anchors. A part without an anchor in which more than 1 000 values differ is treated as having nothing in common.
 */
export function align(a: Values, b: Values): readonly Run[] {
  const runs: Run[] = [];
  const open: Range[] = [{ a: 0, aEnd: a.length, b: 0, bEnd: b.length }];
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const middle = trimmed(a, b, range, runs);
    if (middle.a === middle.aEnd || middle.b === middle.bEnd) continue;
    const short = fewestEdits(a, b, middle, FEW_EDITS);
    const anchors = short === undefined ? anchorsIn(a, b, middle) : [];
    if (anchors.length === 0) runs.push(...(short ?? fewestEdits(a, b, middle, MAX_EDITS) ?? []));
    else open.push(...between(anchors, middle, runs));
  }
  return runs.toSorted((one, other) => one.a - other.a);
}

/** Adds the common beginning and the common end of two ranges to `runs`, and returns the ranges between them. */
function trimmed(a: Values, b: Values, range: Range, runs: Run[]): Range {
  let { a: fromA, b: fromB, aEnd, bEnd } = range;
  while (fromA < aEnd && fromB < bEnd && a[fromA] === b[fromB]) [fromA, fromB] = [fromA + 1, fromB + 1];
  while (fromA < aEnd && fromB < bEnd && a[aEnd - 1] === b[bEnd - 1]) [aEnd, bEnd] = [aEnd - 1, bEnd - 1];
  const [before, after] = [fromA - range.a, range.aEnd - aEnd];
  if (before > 0) runs.push({ a: range.a, b: range.b, length: before });
  if (after > 0) runs.push({ a: aEnd, b: bEnd, length: after });
  return { a: fromA, aEnd, b: fromB, bEnd };
}

/** Adds the anchors to the runs, and returns the parts before, between and after them. */
function between(anchors: readonly Run[], range: Range, runs: Run[]): Range[] {
  const parts: Range[] = [];
  let [a, b] = [range.a, range.b];
  for (const anchor of anchors) {
    parts.push({ a, aEnd: anchor.a, b, bEnd: anchor.b });
    runs.push(anchor);
    [a, b] = [anchor.a + 1, anchor.b + 1];
  }
  parts.push({ a, aEnd: range.aEnd, b, bEnd: range.bEnd });
  return parts;
}

/** Returns the largest set of values that occur once in each sequence and are in the same order. */
function anchorsIn(a: Values, b: Values, range: Range): readonly Run[] {
  const inA = onlyPlaces(a, range.a, range.aEnd);
  const inB = onlyPlaces(b, range.b, range.bEnd);
  const common: Run[] = [];
  for (const [value, atA] of inA) {
    const atB = inB.get(value);
    if (atA >= 0 && atB !== undefined && atB >= 0) common.push({ a: atA, b: atB, length: 1 });
  }
  return longestIncreasing(common);
}

/** Returns the position of each value, or -1 for a value that occurs more than once. */
function onlyPlaces(values: Values, from: number, to: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let at = from; at < to; at++) {
    const value = values[at] as number;
    places.set(value, places.has(value) ? -1 : at);
  }
  return places;
}

/** The positions of the returned runs in `b` increase. The runs must be given in the order of `a`. */
function longestIncreasing(runs: readonly Run[]): readonly Run[] {
  /** For each length: the run with the smallest position that ends an increasing list of this length. */
  const tails: number[] = [];
  const before = new Int32Array(runs.length);
  for (const [index, { b }] of runs.entries()) {
    let low = 0;
    for (let high = tails.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if ((runs[tails[middle] as number] as Run).b < b) low = middle + 1;
      else high = middle;
    }
    before[index] = tails[low - 1] ?? -1;
    tails[low] = index;
  }
  const chain: Run[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at] as number) chain.push(runs[at] as Run);
  return chain.reverse();
}

/**
 * Finds the common parts with the fewest insertions and deletions (E. Myers, 1986). Returns `undefined` if more than `most` insertions and deletions
 * are needed.
 */
function fewestEdits(a: Values, b: Values, range: Range, most: number): readonly Run[] | undefined {
  const [lengthA, lengthB] = [range.aEnd - range.a, range.bEnd - range.b];
  if (Math.abs(lengthA - lengthB) > most) return undefined;
  /** For each number of edits: the position in `a` that each diagonal reaches. */
  const steps: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    const furthest = new Int32Array(2 * edits + 1);
    const previous = steps.at(-1);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = beginning(previous, edits, diagonal).x;
      while (x < lengthA && x - diagonal < lengthB && a[range.a + x] === b[range.b + x - diagonal]) x++;
      furthest[diagonal + edits] = x;
      if (x >= lengthA && x - diagonal >= lengthB) return traceBack([...steps, furthest], diagonal, range);
    }
    steps.push(furthest);
  }
  return undefined;
}

/** Returns where a diagonal begins: one step down from the diagonal above, or one step right from the diagonal below, whichever is further. */
function beginning(
  previous: Int32Array | undefined,
  edits: number,
  diagonal: number,
): { readonly x: number; readonly from: number } {
  if (previous === undefined) return { x: 0, from: 0 };
  const above = previous[diagonal + edits] ?? -1;
  const below = previous[diagonal - 2 + edits] ?? -1;
  const isDown = diagonal === -edits || (diagonal !== edits && below < above);
  return isDown ? { x: above, from: diagonal + 1 } : { x: below + 1, from: diagonal - 1 };
}

function traceBack(steps: readonly Int32Array[], last: number, range: Range): Run[] {
  const runs: Run[] = [];
  let diagonal = last;
  for (let edits = steps.length - 1; edits >= 0; edits--) {
    const end = (steps[edits] as Int32Array)[diagonal + edits] as number;
    const { x, from } = beginning(steps[edits - 1], edits, diagonal);
    if (end > x) runs.push({ a: range.a + x, b: range.b + x - diagonal, length: end - x });
    diagonal = from;
  }
  return runs;
}
