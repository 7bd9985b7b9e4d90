import type { Issue } from '../errors.ts';
import { isRecord } from './is-record.ts';

/** Looks at one member: gives what is wrong with it, below its path, or nothing. */
export type Check = (value: unknown, path: readonly PropertyKey[]) => readonly Issue[];

/** Passes what the condition is true for. */
function expected(what: string, holds: (value: unknown) => boolean): Check {
  return (value, path) => (holds(value) ? NONE : [{ path, message: `must be ${what}` }]);
}

const NONE: readonly Issue[] = [];

/** A string. */
export const text = expected('a string', (value) => typeof value === 'string');
/** `true` or `false`. */
export const flag = expected('a boolean', (value) => typeof value === 'boolean');
/** A number, and none that JSON cannot say. */
export const number = expected('a number', Number.isFinite);
/** An array of anything. */
export const list = expected('an array', Array.isArray);
/** An array of strings, with an issue for each member that is none. */
export const texts: Check = (value, path) =>
  Array.isArray(value) ? value.flatMap((member, index) => text(member, [...path, index])) : list(value, path);

/** One of these strings. */
function oneOf(...known: readonly string[]): Check {
  return expected(known.join(' or '), (value) => typeof value === 'string' && known.includes(value));
}

/** What may be missing. */
export function optional(check: Check): Check {
  return (value, path) => (value === undefined ? NONE : check(value, path));
}

/** An object with these members, and any others. */
export function members(checks: Readonly<Record<string, Check>>): Check {
  const entries = Object.entries(checks);
  return (value, path) => {
    if (!isRecord(value)) return [{ path, message: 'must be an object' }];
    return entries.flatMap(([name, check]) => check(value[name], [...path, name]));
  };
}

/** One of some objects, told apart by a member. Closed: another value of that member is wrong. */
export function closedUnion(key: string, options: Readonly<Record<string, Check>>): Check {
  const discriminator = members({ [key]: oneOf(...Object.keys(options)) });
  return (value, path) => {
    const issues = discriminator(value, path);
    return issues.length > 0 || !isRecord(value) ? issues : (options[String(value[key])]?.(value, path) ?? NONE);
  };
}

/** Any object that is no array. */
export const record = members({});
