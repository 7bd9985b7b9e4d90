import { JsonCursor } from '@proto/core/internal';
import { passed } from '../json/payload-limits.ts';

/** Names by which a reader of an answer decides what it does. */
const DECIDING = new Set(['type', 'response', 'subtype', 'request_id', 'behavior', 'uuid']);
/** The message, its `response`, and the `response` in that, which is the answer. */
const LEVELS = 3;

/**
 * Whether readers in other languages may find another answer in this text than we do: of two members of one name some take the first, and
 * some take `Type`, or `re\u017fponse` with a long s, for the same name in small letters. The text is known to be JSON.
 */
export function hasAmbiguousNames(text: string): Promise<boolean> {
  return isAmbiguous(new JsonCursor(text), 1);
}

async function isAmbiguous(cursor: JsonCursor, level: number): Promise<boolean> {
  if (!cursor.enterObject()) {
    await passed(cursor);
    return false;
  }
  const names = new Set<string>();
  let found = false;
  for (let name = cursor.nextName(); name !== undefined; name = cursor.nextName()) {
    // The one name that has two spellings for every reader: together they are one name twice.
    const spelled = name === 'requestId' ? 'request_id' : name;
    const folded = foldCase(spelled);
    found ||= names.has(folded) || (spelled !== folded && DECIDING.has(folded)) || folded === 'requestid';
    names.add(folded);
    if (name !== 'response' || level >= LEVELS) await passed(cursor);
    else if (await isAmbiguous(cursor, level + 1)) found = true;
  }
  return found;
}

/** By way of capital letters, so that a long s and the sign of the unit kelvin become the letters they are taken for. */
function foldCase(name: string): string {
  return name.toUpperCase().toLowerCase();
}
