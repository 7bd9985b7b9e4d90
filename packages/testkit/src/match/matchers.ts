import { isObject } from '../json.ts';
import { type Matching, type Mismatch, mismatchAt } from './mismatch.ts';

type Matcher = (argument: unknown, value: unknown, path: string, matching: Matching) => Mismatch | undefined;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const matchers: ReadonlyMap<string, Matcher> = new Map<string, Matcher>([
  [
    '$any',
    test(
      (value) => value !== undefined,
      () => 'anything',
    ),
  ],
  [
    '$absent',
    test(
      (value) => value === undefined,
      () => 'nothing',
    ),
  ],
  [
    '$type',
    test(
      (value, name) => typeName(value, name) === name,
      (name) => `a value of type ${String(name)}`,
    ),
  ],
  [
    '$uuid',
    test(
      (value) => typeof value === 'string' && UUID.test(value),
      () => 'a UUID',
    ),
  ],
  [
    '$starts-with',
    test(
      (value, text) => isText(value) && value.startsWith(String(text)),
      (text) => `a string that begins with ${JSON.stringify(text)}`,
    ),
  ],
  [
    '$matches',
    test(
      (value, source) => isText(value) && new RegExp(String(source), 'u').test(value),
      (source) => `a string that matches /${String(source)}/`,
    ),
  ],
  [
    '$at-least',
    test(
      (value, least) => typeof value === 'number' && value >= Number(least),
      (least) => `a number of at least ${String(least)}`,
    ),
  ],
  [
    '$at-most',
    test(
      (value, most) => typeof value === 'number' && value <= Number(most),
      (most) => `a number of at most ${String(most)}`,
    ),
  ],
  ['$same-as', sameAs],
  ['$not-same-as', notSameAs],
  ['$contains', contains],
  ['$one-of', oneOf],
  ['$all-of', allOf],
  ['$not', not],
  ['$length', length],
  ['$each', each],
  ['$as', as],
]);

/** A matcher is an object whose member names all begin with `$`. */
export function isMatcher(pattern: unknown): pattern is Readonly<Record<string, unknown>> {
  if (!isObject(pattern)) return false;
  const names = Object.keys(pattern);
  return names.length > 0 && names.every((name) => name.startsWith('$'));
}

function test(holds: (value: unknown, argument: unknown) => boolean, expected: (argument: unknown) => string): Matcher {
  return (argument, value, path) => (holds(value, argument) ? undefined : mismatchAt(path, expected(argument), value));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function typeName(value: unknown, wanted: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return wanted === 'integer' && Number.isInteger(value) ? 'integer' : typeof value;
}

function sameAs(name: unknown, value: unknown, path: string, { variables, bound, compare }: Matching) {
  const wanted = bound.has(String(name)) ? bound.get(String(name)) : variables.get(String(name));
  // Compared in both directions, so that an object with additional members is not equal.
  return compare(wanted, value, path) ?? (isObject(wanted) ? compare(value, wanted, path) : undefined);
}

function notSameAs(name: unknown, value: unknown, path: string, matching: Matching) {
  return sameAs(name, value, path, matching) === undefined
    ? mismatchAt(path, `a value other than ${String(name)}`, value)
    : undefined;
}

function contains(argument: unknown, value: unknown, path: string, { compare, bound, variables }: Matching) {
  // A pattern cannot be compared with a part of a text, so the text that `$same-as` names is looked up here.
  const name = isText(value) && isObject(argument) ? argument['$same-as'] : undefined;
  const part = isText(name) ? (bound.get(name) ?? variables.get(name)) : argument;
  if (isText(value) && isText(part)) {
    return value.includes(part) ? undefined : mismatchAt(path, `a string with ${JSON.stringify(part)}`, value);
  }
  const expected = `an array with ${JSON.stringify(part)}`;
  if (!Array.isArray(value)) return mismatchAt(path, expected, value);
  return value.some((item) => compare(part, item, path) === undefined) ? undefined : mismatchAt(path, expected, value);
}

function oneOf(patterns: unknown, value: unknown, path: string, { compare }: Matching) {
  return asList(patterns).some((pattern) => compare(pattern, value, path) === undefined)
    ? undefined
    : mismatchAt(path, `one of ${JSON.stringify(patterns)}`, value);
}

function allOf(patterns: unknown, value: unknown, path: string, { compare }: Matching) {
  for (const pattern of asList(patterns)) {
    const mismatch = compare(pattern, value, path);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

function not(pattern: unknown, value: unknown, path: string, { compare }: Matching) {
  return compare(pattern, value, path) === undefined
    ? mismatchAt(path, `a value that does not match ${JSON.stringify(pattern)}`, value)
    : undefined;
}

function length(pattern: unknown, value: unknown, path: string, { compare }: Matching) {
  if (!(isText(value) || Array.isArray(value))) return mismatchAt(path, 'a string or an array', value);
  return compare(pattern, value.length, `${path}.length`);
}

function each(pattern: unknown, value: unknown, path: string, { compare }: Matching) {
  if (!Array.isArray(value)) return mismatchAt(path, 'an array', value);
  for (const [at, item] of value.entries()) {
    const mismatch = compare(pattern, item, `${path}.${at}`);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

function as(name: unknown, value: unknown, _path: string, { bound }: Matching) {
  bound.set(String(name), value);
  return undefined;
}

function asList(patterns: unknown): readonly unknown[] {
  return Array.isArray(patterns) ? patterns : [patterns];
}
