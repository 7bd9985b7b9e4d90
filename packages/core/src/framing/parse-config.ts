import { parseJson } from './parse-json.ts';

/** An object in a JSON text has two members of one name. A `SyntaxError`, so that whoever catches the errors of `JSON.parse` catches this one. */
export class RepeatedNameError extends SyntaxError {
  override readonly name = 'RepeatedNameError';

  constructor(member: string) {
    super(`${JSON.stringify(member)} is there twice, and one of the two would be lost: write it once`);
  }
}

/**
 * Parses a JSON text that a person wrote to grant or forbid something: rules, settings, accounts. `JSON.parse` keeps the last of two members with
 * one name, so that a second `deny` would silently remove the first.
 *
 * @throws {SyntaxError} for a text that is not JSON; a `RepeatedNameError` for an object with one name twice
 */
export function parseConfig(text: string): unknown {
  const value = parseJson(text);
  const name = repeatedName(text);
  if (name !== undefined) throw new RepeatedNameError(name);
  return value;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/gs;

/** Returns a name that an object in a valid JSON text has twice, or undefined. */
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
