/** Random choices that a seed repeats. */
export interface Random {
  /** Returns a whole number from 0, below `limit`. */
  below(limit: number): number;
  pick<Value>(values: readonly Value[]): Value;
}

/** Makes random choices from a seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return { below, pick: (values) => values[below(values.length)] as (typeof values)[number] };
}
