import { JsonCursor } from '@proto/core/network';
import type { Steps } from '../event-loop.ts';
import { passed } from '../json/payload-limits.ts';

const DECIDING_MEMBERS = new Set(['type', 'response', 'subtype', 'request_id', 'behavior', 'uuid']);
/** Three levels: the message, its `response`, and the `response` within, which is the answer. */
const LEVELS = 3;

/**
 * Whether JSON parsers of other languages may read another answer from this text: some take the first of two members with one name, and some take
 * `Type`, or `re\u017fponse` with a long s, for the same name in lower case. The text must be JSON.
 */
export function hasAmbiguousNames(text: string): Steps<boolean> {
  return isAmbiguous(new JsonCursor(text), 1);
}

function* isAmbiguous(cursor: JsonCursor, level: number): Steps<boolean> {
  if (!cursor.enterObject()) {
    yield* passed(cursor);
    return false;
  }
  const names = new Set<string>();
  let found = false;
  for (let name = cursor.nextName(); name !== undefined; name = cursor.nextName()) {
    // `requestId` and `request_id` are two spellings of one name for every reader.
    const spelled = name === 'requestId' ? 'request_id' : name;
    const folded = foldCase(spelled);
    found ||= names.has(folded) || (spelled !== folded && DECIDING_MEMBERS.has(folded)) || folded === 'requestid';
    names.add(folded);
    if (name !== 'response' || level >= LEVELS) yield* passed(cursor);
    else if (yield* isAmbiguous(cursor, level + 1)) found = true;
  }
  return found;
}

/** Folds by way of upper case, so that a long s and the Kelvin sign become the letters that other parsers take them for. */
function foldCase(name: string): string {
  return name.toUpperCase().toLowerCase();
}
