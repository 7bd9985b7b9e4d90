import { MAX_JSON_DEPTH } from '@proto/core/internal';
import { JsonCursor } from '@proto/core/network';
import type { Steps } from '../event-loop.ts';

/** The maximum number of members in all objects of a message together. Parsing blocks every other client, for about 5 us per member. */
const MAX_PAYLOAD_MEMBERS = 50_000;
/** The maximum number of values in a message, including values in lists. Parsing takes about 0.2 us per value. */
const MAX_PAYLOAD_VALUES = 500_000;

const LENGTH_WITHIN_ALL_LIMITS = 2 * MAX_JSON_DEPTH;

/** A value in a JSON text, and the cost of parsing it. */
export type PassedValue = NonNullable<ReturnType<JsonCursor['pass']>>;

/** The limit that a JSON text exceeds. Such a text is not parsed. */
export type PayloadFault = 'too_deep' | 'too_many_values';

/** The limit that a value exceeds; undefined for a value that may be parsed. */
export function faultOf({ depth, members, values }: PassedValue): PayloadFault | undefined {
  if (depth > MAX_JSON_DEPTH) return 'too_deep';
  return members > MAX_PAYLOAD_MEMBERS || values > MAX_PAYLOAD_VALUES ? 'too_many_values' : undefined;
}

/** The limit that a text exceeds; undefined for a text that may be parsed, although it may be invalid JSON. */
export function* faultIn(text: string): Steps<PayloadFault | undefined> {
  if (text.length <= LENGTH_WITHIN_ALL_LIMITS) return undefined;
  try {
    return faultOf(yield* passed(new JsonCursor(text)));
  } catch (error) {
    // `JSON.parse` will fail with its own error.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Moves the cursor past a value. */
export function* passed(cursor: JsonCursor): Steps<PassedValue> {
  for (;;) {
    const value = cursor.pass();
    if (value !== undefined) return value;
    yield;
  }
}
