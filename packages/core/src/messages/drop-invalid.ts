import type { Issue } from './issues.ts';

// Each one costs a check of the whole message: a peer must not make that many.
const MAX_DROPPED = 16;

/** A copy without its invalid optional members, and what was wrong with those. */
export interface WithoutInvalid {
  readonly value: object;
  readonly dropped: readonly Issue[];
}

/**
 * Takes out object members until no issue is left, for each issue the innermost one that may be absent; undefined where a required
 * member is invalid. Never takes an element out of an array: the others would move.
 */
export function dropInvalid(
  value: object,
  issues: readonly Issue[],
  check: (value: object) => readonly Issue[],
): WithoutInvalid | undefined {
  const dropped: Issue[] = [];
  let left = issues;
  for (let issue = left[0]; issue !== undefined; issue = left[0]) {
    const step = dropped.length < MAX_DROPPED ? dropOne(value, issue, left, check) : undefined;
    if (step === undefined) return undefined;
    dropped.push(issue);
    value = step.value;
    left = step.left;
  }
  return { value, dropped };
}

function dropOne(
  value: object,
  issue: Issue,
  before: readonly Issue[],
  check: (value: object) => readonly Issue[],
): { readonly value: object; readonly left: readonly Issue[] } | undefined {
  for (let length = issue.path.length; length > 0; length--) {
    const member = issue.path.slice(0, length);
    const copy = without(value, member);
    if (copy === undefined) continue;
    const left = check(copy);
    // An issue at the member itself says that it is required.
    if (left.length < before.length && !left.some((other) => startsWith(other.path, member))) {
      return { value: copy, left };
    }
  }
  return undefined;
}

function startsWith(path: readonly PropertyKey[], start: readonly PropertyKey[]): boolean {
  return start.every((key, index) => path[index] === key);
}

/** A copy without that member, sharing the rest; undefined where there is no such member of an object. */
function without(value: object, [key, ...rest]: readonly PropertyKey[]): object | undefined {
  if (key === undefined || !Object.hasOwn(value, key)) return undefined;
  if (rest.length === 0) {
    if (Array.isArray(value)) return undefined;
    // Entries, not delete: a copy keeps the order of the others either way, but stays a fast object.
    return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  }
  const child: unknown = Reflect.get(value, key);
  const copy = typeof child === 'object' && child !== null ? without(child, rest) : undefined;
  if (copy === undefined) return undefined;
  if (Array.isArray(value)) return value.with(Number(key), copy);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, name === key ? copy : member]));
}
