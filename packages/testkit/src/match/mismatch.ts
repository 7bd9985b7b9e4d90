import { shortJson } from '../json.ts';
import type { Variables } from './variables.ts';

/** Why a value does not match a pattern: where, and what was expected there. */
export interface Mismatch {
  /** The path of members to the place, such as `response.request_id`. Empty for the value itself. */
  readonly path: string;
  readonly expected: string;
  /** The value that is there, as JSON, or `nothing`. */
  readonly got: string;
}

/** One comparison of a value with a pattern. Matchers use it for the patterns inside them. */
export interface Matching {
  readonly variables: Variables;
  readonly bound: Map<string, unknown>;
  /** Compares a part. Returns the first difference, or `undefined` if there is no difference. */
  compare(pattern: unknown, value: unknown, path: string): Mismatch | undefined;
}

/** A difference at a path. */
export function mismatchAt(path: string, expected: string, value: unknown): Mismatch {
  return { path, expected, got: value === undefined ? 'nothing' : shortJson(value) };
}

/** The difference as a sentence. */
export function describeMismatch({ path, expected, got }: Mismatch): string {
  return `${path === '' ? '' : `${path}: `}expected ${expected}, got ${got}`;
}
