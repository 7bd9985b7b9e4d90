import { cutText, parseJson } from '@proto/core/framing';
import { isObject } from '@proto/testkit/steps';

const MAX_CHARACTERS = 60;

/** Reduces two JSON objects to the members that differ, and shortens long texts. Any other text is returned as it is. */
export function differingParts(first: string, second: string): readonly [string, string] {
  const values = [parse(first), parse(second)] as const;
  const [a, b] = differing(...values);
  return [values[0] === undefined ? first : JSON.stringify(a), values[1] === undefined ? second : JSON.stringify(b)];
}

/** JSON whose members are in alphabetical order, so that equal values are equal texts. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    isObject(each) ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1))) : each,
  );
}

/** The same text for values that differ only in numbers and in texts of more than one word. */
export function shapeOf(text: string): string {
  const value = parse(text);
  return value === undefined ? text : JSON.stringify(value, (_name, each: unknown) => shapeOfLeaf(each));
}

function shapeOfLeaf(value: unknown): unknown {
  if (typeof value === 'number') return 0;
  return typeof value === 'string' && !/^[A-Za-z_]+$/.test(value) ? 'a text' : value;
}

function differing(first: unknown, second: unknown): readonly [unknown, unknown] {
  if (!isObject(first) || !isObject(second)) return [shortened(first), shortened(second)];
  const names = [...new Set([...Object.keys(first), ...Object.keys(second)])];
  const parts = names
    .filter((name) => sortedJson(first[name]) !== sortedJson(second[name]))
    .map((name) => [name, ...differing(first[name], second[name])] as const);
  const members = (at: 1 | 2) => Object.fromEntries(parts.map((part) => [part[0], part[at]]));
  return [members(1), members(2)];
}

function shortened(value: unknown): unknown {
  if (value === undefined) return undefined;
  return parseJson(
    JSON.stringify(value, (_name, each: unknown) =>
      typeof each === 'string' && each.length > MAX_CHARACTERS
        ? `${cutText(each, MAX_CHARACTERS)}… (${each.length} characters)`
        : each,
    ),
  );
}

/** Returns `undefined` for a text that is not JSON. */
function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
