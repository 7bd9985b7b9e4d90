import { JsonCursor } from '@proto/core/network';
import type { Steps } from '../event-loop.ts';
import { passed } from '../json/payload-limits.ts';

const DECIDING_MEMBERS = new Set(['type', 'response', 'subtype', 'request_id', 'behavior', 'uuid']);
/** Three levels: the message, its `response`, and the `response` inside that, which is the actual answer. */
const LEVELS = 3;

/**
 * Whether JSON parsers in other languages may read a different answer from this text. If two members have the same name, some parsers use the first
 * of them. Some parsers treat `Type`, or `re\u017fponse` with a long s, like the name in lower case. The text must be JSON.
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
    // `requestId` and `request_id` are two spellings of the same name for every reader.
    const spelled = name === 'requestId' ? 'request_id' : name;
    const folded = foldCase(spelled);
    found ||= names.has(folded) || (spelled !== folded && DECIDING_MEMBERS.has(folded)) || folded === 'requestid';
    names.add(folded);
    if (name !== 'response' || level >= LEVELS) yield* passed(cursor);
    else if (yield* isAmbiguous(cursor, level + 1)) found = true;
  }
  return found;
}

/** Converts to upper case first, so that a long s and the Kelvin sign become the letters that other parsers treat them as. */
function foldCase(name: string): string {
  return name.toUpperCase().toLowerCase();
}
