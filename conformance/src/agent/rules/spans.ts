import { countWhile } from '../../positions.ts';

export interface Span<Item> {
  readonly from: number;
  readonly until: number;
  readonly item: Item;
}

/** Things that each last from one position to another. A question about them does not look at each of them. */
export class Spans<Item> {
  readonly #spans: readonly Span<Item>[];
  /** For each number of first spans, those two of them that last longest. */
  readonly #longest: readonly (readonly Span<Item>[])[];
  /** For each number of first spans, the earliest end of the others. */
  readonly #earliest: readonly number[];

  constructor(spans: Iterable<Span<Item>>) {
    this.#spans = [...spans].toSorted((a, b) => a.from - b.from);
    let longest: readonly Span<Item>[] = [];
    this.#longest = [longest, ...this.#spans.map((span) => (longest = longer(longest, span)))];
    let earliest = Infinity;
    this.#earliest = [
      earliest,
      ...this.#spans.toReversed().map(({ until }) => (earliest = Math.min(earliest, until))),
    ].toReversed();
  }

  /** What begins before one position and does not end before another one. Of more than two such things, only two are returned. */
  across(before: number, end: number): readonly Item[] {
    const longest = this.#longest[countWhile(this.#spans, ({ from }) => from < before)] ?? [];
    return longest.flatMap(({ until, item }) => (until >= end ? [item] : []));
  }

  /** Whether something begins after one position and ends before another one. */
  hasWithin(after: number, before: number): boolean {
    return (this.#earliest[countWhile(this.#spans, ({ from }) => from <= after)] ?? Infinity) < before;
  }
}

function longer<Item>(longest: readonly Span<Item>[], span: Span<Item>): readonly Span<Item>[] {
  return [...longest, span].toSorted((a, b) => (a.until === b.until ? 0 : b.until - a.until)).slice(0, 2);
}
