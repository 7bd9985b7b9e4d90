import { shortJson } from '../json.ts';
import type { Variables } from './variables.ts';

/** The first difference between a value and a pattern. */
export interface Mismatch {
  /** The path to the difference, such as `response.request_id`. Empty if the value itself differs. */
  readonly path: string;
  /** The expected value in words, as part of a sentence, such as `a UUID`. */
  readonly expected: string;
  /** The actual value as JSON, or `nothing`. */
  readonly got: string;
}

/** Matchers use it to compare nested patterns. */
export interface Matching {
  readonly variables: Variables;
  readonly bound: Map<string, unknown>;
  compare(pattern: unknown, value: unknown, path: string): Mismatch | undefined;
}

export function mismatchAt(path: string, expected: string, value: unknown): Mismatch {
  return { path, expected, got: value === undefined ? 'nothing' : shortJson(value) };
}

/** Returns the difference as a sentence. */
export function describeMismatch({ path, expected, got }: Mismatch): string {
  return `${path === '' ? '' : `${path}: `}expected ${expected}, got ${got}`;
}
