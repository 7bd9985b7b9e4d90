/** Returns numbers from 0 up to 1. The same words give the same numbers. */
export type Random = () => number;

/** Creates a generator of numbers: a hash of the words (FNV-1a) seeds mulberry32. */
export function randomFrom(...words: readonly (string | number)[]): Random {
  let state = 0x811c9dc5;
  for (const unit of words.join('\n')) state = Math.imul(state ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
