/**
 * The maximum nesting of objects and lists in a JSON text from outside: 1000 levels. `JSON.parse` accepts any depth, but `JSON.stringify` and every
 * other recursive function runs out of stack at a few thousand levels.
 */
export const MAX_JSON_DEPTH = 1000;

/**
 * Thrown if a text is JSON, but nested deeper than `MAX_JSON_DEPTH`. This class extends `SyntaxError`, so that code that catches the errors of
 * `JSON.parse` also catches this error.
 */
export class JsonDepthError extends SyntaxError {
  /** The name that identifies this error. */
  override readonly name = 'JsonDepthError';

  constructor() {
    super(`the JSON is nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
}

// Each level takes two characters, so shorter texts need not be checked. Most messages are shorter.
const ALWAYS_WITHIN = 2 * MAX_JSON_DEPTH;

/**
 * Parses a JSON text from a peer or a file. Use this function instead of `JSON.parse`, because the returned values can be traversed and encoded
 * without running out of stack.
 *
 * @throws {SyntaxError} if the text is not JSON, or a `JsonDepthError` if the JSON is nested too deeply
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (text.length > ALWAYS_WITHIN && isDeeper(value, MAX_JSON_DEPTH)) throw new JsonDepthError();
  return value;
}

/** Whether a parsed value is nested deeper than `MAX_JSON_DEPTH`. Use this function for the parts of an answer that is parsed as a whole. */
export function isTooDeep(value: unknown): boolean {
  return isDeeper(value, MAX_JSON_DEPTH);
}

/** Does not read strings, so a long string in a message costs nothing. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && isDeeper(item, levels - 1)) return true;
    return false;
  }
  // A parsed object has no enumerable inherited members, and `for in` does not create a list of the names.
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === 'object' && isDeeper(member, levels - 1)) return true;
  }
  return false;
}
