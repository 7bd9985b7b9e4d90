import { parseJson } from './parse-json.ts';

/**
 * Thrown if an object in a JSON text has two members with the same name. This class extends `SyntaxError`, so that code that catches the errors of
 * `JSON.parse` also catches this error.
 */
export class RepeatedNameError extends SyntaxError {
  override readonly name = 'RepeatedNameError';

  constructor(member: string) {
    super(`${JSON.stringify(member)} occurs twice, and one of the two values would be lost: write it only once`);
  }
}

/**
 * Parses a JSON text that a person has written to grant or forbid something, such as rules, settings or accounts. `JSON.parse` keeps only the last of
 * two members with the same name, so a second `deny` would silently remove the first `deny`.
 *
 * @throws {SyntaxError} if the text is not JSON, or a `RepeatedNameError` if an object contains a name twice
 */
export function parseConfig(text: string): unknown {
  const value = parseJson(text);
  const name = repeatedName(text);
  if (name !== undefined) throw new RepeatedNameError(name);
  return value;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/gs;

/** Returns `undefined` if all names are unique. */
function repeatedName(json: string): string | undefined {
  // The names of each open object; undefined for a list.
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const name = JSON.parse(last) as string;
      const names = open.at(-1);
      if (names?.has(name) === true) return name;
      names?.add(name);
    }
    last = token;
  }
  return undefined;
}
