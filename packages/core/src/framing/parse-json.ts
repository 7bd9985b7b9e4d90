/**
 * How deep the objects and lists of a JSON text from outside may be nested: 1000. `JSON.parse` accepts any depth, but `JSON.stringify` and every
 * other function that calls itself for each level runs out of stack at a few thousand levels.
 */
export const MAX_JSON_DEPTH = 1000;

/** The text is JSON, and nested deeper than `MAX_JSON_DEPTH`. A `SyntaxError`, so that whoever catches the errors of `JSON.parse` catches this one. */
export class JsonDepthError extends SyntaxError {
  /** The name that identifies this error. */
  override readonly name = 'JsonDepthError';

  constructor() {
    super(`the JSON is nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
}

// Each level takes two characters, so a shorter text costs no check. Most messages are shorter.
const ALWAYS_WITHIN = 2 * MAX_JSON_DEPTH;

/**
 * Parses a JSON text that comes from a peer or a file. Use it in place of `JSON.parse`: its values can be walked and encoded without running out of
 * stack.
 *
 * @throws {SyntaxError} for a text that is not JSON; a `JsonDepthError` for one that is nested too deep
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (text.length > ALWAYS_WITHIN && isDeeper(value, MAX_JSON_DEPTH)) throw new JsonDepthError();
  return value;
}

/** Whether a parsed value is nested deeper than `MAX_JSON_DEPTH`: for the parts of an answer that is parsed as a whole. */
export function isTooDeep(value: unknown): boolean {
  return isDeeper(value, MAX_JSON_DEPTH);
}

/** Whether a value has more than `levels` levels of objects and lists. Looks at no string, so a long text in a message costs nothing. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && isDeeper(item, levels - 1)) return true;
    return false;
  }
  // A parsed object has no inherited members that can be enumerated; `for in` makes no list of the names.
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === 'object' && isDeeper(member, levels - 1)) return true;
  }
  return false;
}
