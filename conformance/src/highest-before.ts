import { countWhile } from './positions.ts';

/** Values, each with a time. Finds the highest value before a time without reading the whole list. */
export class HighestBefore {
  readonly #places: readonly { readonly at: number; readonly highest: number }[];

  constructor(values: Iterable<{ readonly at: number; readonly value: number }>) {
    let highest = -Infinity;
    this.#places = [...values]
      .toSorted((a, b) => a.at - b.at)
      .map(({ at, value }) => ({ at, highest: (highest = Math.max(highest, value)) }));
  }

  /** Returns `-Infinity` if no value is before the time. */
  of(time: number): number {
    return this.#places[countWhile(this.#places, ({ at }) => at < time) - 1]?.highest ?? -Infinity;
  }
}
