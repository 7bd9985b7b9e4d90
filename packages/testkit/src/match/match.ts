import { isObject } from '../json.ts';
import { isMatcher, matchers } from './matchers.ts';
import { type Matching, type Mismatch, mismatchAt } from './mismatch.ts';
import type { Variables } from './variables.ts';

/** The outcome of a match: success, with the values bound by `$as`, or the first difference. */
export type MatchResult =
  | { readonly ok: true; readonly bound: ReadonlyMap<string, unknown> }
  | { readonly ok: false; readonly mismatch: Mismatch };

/**
 * Compares a value with a pattern. An object matches if each member of the pattern matches. An array matches if it has the same length and each
 * element matches. A matcher such as `{$uuid: true}` follows its own rule. Any other value must be equal to the pattern. Does not change `variables`:
 * the values that `$as` binds are returned in `bound`.
 */
export function match(pattern: unknown, value: unknown, variables: Variables): MatchResult {
  const bound = new Map<string, unknown>();
  const matching: Matching = { variables, bound, compare: (p, v, path) => compare(p, v, path, matching) };
  const mismatch = matching.compare(pattern, value, '');
  return mismatch === undefined ? { ok: true, bound } : { ok: false, mismatch };
}

function compare(pattern: unknown, value: unknown, path: string, matching: Matching): Mismatch | undefined {
  if (isMatcher(pattern)) return compareByMatchers(pattern, value, path, matching);
  if (Array.isArray(pattern)) return compareArray(pattern, value, path, matching);
  if (isObject(pattern)) return compareObject(pattern, value, path, matching);
  return Object.is(pattern, value) ? undefined : mismatchAt(path, JSON.stringify(pattern), value);
}

function compareByMatchers(
  pattern: Readonly<Record<string, unknown>>,
  value: unknown,
  path: string,
  matching: Matching,
): Mismatch | undefined {
  for (const [name, argument] of Object.entries(pattern)) {
    const mismatch = matchers.get(name)?.(argument, value, path, matching);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

function compareArray(pattern: readonly unknown[], value: unknown, path: string, matching: Matching) {
  if (!Array.isArray(value)) return mismatchAt(path, `an array of ${pattern.length}`, value);
  if (value.length !== pattern.length) return mismatchAt(path, `an array of ${pattern.length}`, value);
  for (const [at, part] of pattern.entries()) {
    const mismatch = matching.compare(part, value[at], join(path, String(at)));
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

function compareObject(pattern: Readonly<Record<string, unknown>>, value: unknown, path: string, matching: Matching) {
  if (!isObject(value))
    return mismatchAt(path, `an object with ${Object.keys(pattern).join(', ') || 'any members'}`, value);
  for (const [name, part] of Object.entries(pattern)) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    const mismatch = matching.compare(part, member, join(path, name));
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

function join(path: string, member: string): string {
  return path === '' ? member : `${path}.${member}`;
}
