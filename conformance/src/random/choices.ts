import type { Random } from '@proto/testkit/steps';

/** The choices of a generated session. All of them depend only on the random numbers. */
export class Choices {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A whole number below the limit. */
  below(limit: number): number {
    return this.#random.below(limit);
  }

  /** Returns true in the given share of the calls, from 0 to 1. */
  isLucky(share: number): boolean {
    return this.#random.next() < share;
  }

  oneOf<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** Returns one of the values. The weights determine how often each value is chosen. */
  weighted<T extends { readonly weight: number }>(list: readonly T[]): T {
    let at = this.#random.next() * list.reduce((sum, { weight }) => sum + weight, 0);
    return (list.find(({ weight }) => (at -= weight) < 0) ?? list.at(-1)) as T;
  }
}
