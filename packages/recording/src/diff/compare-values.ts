import { matchesPath, type PathPattern } from '../path-pattern.ts';
import { memberOf } from './frame-key.ts';
import { type SteadyValue, steadyValue } from './steady-values.ts';

/** A member in which two messages differ. If a message lacks the member, its value is absent. */
export interface MemberDifference {
  /** The path of the member, as names separated by dots. Empty for the message itself. */
  readonly path: string;
  /** The value in the first recording. Absent if the member is missing in this recording. */
  readonly expected?: unknown;
  /** The value in the second recording. Absent if the member is missing in this recording. */
  readonly found?: unknown;
}

/** Lists the members in which two values differ, in the order of the expected value's members. Ids, times and ignored members are not compared. */
export function compareValues(
  expected: unknown,
  found: unknown,
  ignored: readonly PathPattern[],
): readonly MemberDifference[] {
  const differences: MemberDifference[] = [];
  compare(expected, found, [], ignored, differences);
  return differences;
}

function compare(
  expected: unknown,
  found: unknown,
  path: readonly string[],
  ignored: readonly PathPattern[],
  differences: MemberDifference[],
): void {
  if (ignored.some((pattern) => matchesPath(pattern, path))) return;
  const isSameKind = isObject(expected) && isObject(found) && Array.isArray(expected) === Array.isArray(found);
  if (isSameKind) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
      compare(expected[name], found[name], [...path, name], ignored, differences);
    }
    return;
  }
  const name = memberOf(path);
  const isEqual = steadyValue(name, expected as SteadyValue) === steadyValue(name, found as SteadyValue);
  if (isEqual && !isObject(expected) && !isObject(found)) return;
  differences.push({
    path: path.join('.'),
    ...(expected !== undefined && { expected }),
    ...(found !== undefined && { found }),
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
