import type { Random } from '@proto/testkit/steps';

// A choice with at least this weight is available in every session.
const ALWAYS_USED = 14;
const SHARES = [0.25, 0.5, 0.5, 0.8];

/** All choices depend only on the random numbers. */
export class Choices {
  readonly #random: Random;
  readonly #share: number;

  constructor(random: Random) {
    this.#random = random;
    this.#share = this.oneOf(SHARES);
  }

  below(limit: number): number {
    return this.#random.below(limit);
  }

  /** `share` is from 0 to 1. */
  isLucky(share: number): boolean {
    return this.#random.next() < share;
  }

  oneOf<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  shuffled<T>(list: readonly T[]): T[] {
    const left = [...list];
    return list.map(() => left.splice(this.below(left.length), 1)[0] as T);
  }

  /** A part of a list, so that its items occur together more often than if every session used the whole list. */
  someOf<T extends { readonly weight: number }>(list: readonly T[]): readonly T[] {
    const some = list.filter(({ weight }) => weight >= ALWAYS_USED || this.isLucky(this.#share));
    return some.length === 0 ? list : some;
  }

  /** One of the values. The weights determine how often each value is chosen. */
  weighted<T extends { readonly weight: number }>(list: readonly T[]): T {
    let at = this.#random.next() * list.reduce((sum, { weight }) => sum + weight, 0);
    return (list.find(({ weight }) => (at -= weight) < 0) ?? list.at(-1)) as T;
  }
}
