import { matchesPath, type PathPattern } from '../path-pattern.ts';
import { type SteadyValue, steadyValue } from './steady-values.ts';

/**
 * Returns a 53-bit number that is the same for two values that differ only in ids, times and ignored members. The order of members has no effect. The
 * probability that two different values have the same number is 1 in 9e15.
 */
export function keyOf(value: unknown, ignored: readonly PathPattern[]): number {
  const hash = new Hash();
  addTo(hash, value, [], ignored);
  return hash.value;
}

function addTo(hash: Hash, value: unknown, path: readonly string[], ignored: readonly PathPattern[]): void {
  if (ignored.some((pattern) => matchesPath(pattern, path))) return;
  if (typeof value !== 'object' || value === null) {
    hash.add(JSON.stringify(steadyValue(memberOf(path), value as SteadyValue)) ?? 'nothing');
    return;
  }
  hash.add(Array.isArray(value) ? '[' : '{');
  for (const name of Object.keys(value).toSorted()) {
    const at = [...path, name];
    if (ignored.some((pattern) => matchesPath(pattern, at))) continue;
    hash.add(name);
    addTo(hash, (value as Record<string, unknown>)[name], at, ignored);
  }
  hash.add('end');
}

/** Items of a list have the name of the list. */
export function memberOf(path: readonly string[]): string {
  return path.findLast((segment) => !/^\d+$/.test(segment)) ?? '';
}

class Hash {
  #first = 0xdeadbeef;
  #second = 0x41c6ce57;

  add(text: string): void {
    for (let at = 0; at < text.length; at++) this.#mix(text.charCodeAt(at));
    // Separates texts, so that `a`, `b` differs from `ab`.
    this.#mix(0x1f);
  }

  #mix(code: number): void {
    this.#first = Math.imul(this.#first ^ code, 2_654_435_761);
    this.#second = Math.imul(this.#second ^ code, 1_597_334_677);
  }

  get value(): number {
    const first =
      Math.imul(this.#first ^ (this.#first >>> 16), 2_246_822_507) ^
      Math.imul(this.#second ^ (this.#second >>> 13), 3_266_489_909);
    const second =
      Math.imul(this.#second ^ (this.#second >>> 16), 2_246_822_507) ^
      Math.imul(this.#first ^ (this.#first >>> 13), 3_266_489_909);
    return (second >>> 11) * 2 ** 32 + (first >>> 0);
  }
}
