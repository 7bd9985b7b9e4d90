import { JsonCursor, JsonCursorError, type PassedValue } from '@proto/core/internal';
import { yieldToEventLoop } from '../event-loop.ts';

/** How deep objects and lists of a message may be nested: what every reader of JSON takes. */
const MAX_PAYLOAD_DEPTH = 1000;
/** How many members all objects of a message may have: parsing holds up every other client, for about 5 us a member. */
const MAX_PAYLOAD_MEMBERS = 50_000;
/** How many values a message may have, those in lists among them: parsing takes about 0.2 us for each. */
const MAX_PAYLOAD_VALUES = 500_000;

/** A text this short is within all of the limits. */
const ALWAYS_WITHIN = 2 * MAX_PAYLOAD_DEPTH;

/** Why a JSON text is not parsed. */
export type PayloadFault = 'too_deep' | 'too_many_values';

/** Why a value that was passed must not be parsed; undefined where it may. */
export function faultOf({ depth, members, values }: PassedValue): PayloadFault | undefined {
  if (depth > MAX_PAYLOAD_DEPTH) return 'too_deep';
  return members > MAX_PAYLOAD_MEMBERS || values > MAX_PAYLOAD_VALUES ? 'too_many_values' : undefined;
}

/** Why a text must not be parsed; undefined where it may, which does not mean that it is JSON. Long ones are looked at in steps. */
export async function faultIn(text: string): Promise<PayloadFault | undefined> {
  if (text.length <= ALWAYS_WITHIN) return undefined;
  try {
    return faultOf(await passed(new JsonCursor(text)));
  } catch (error) {
    // The parser says so, too.
    if (error instanceof JsonCursorError) return undefined;
    throw error;
  }
}

/** Passes a value in steps, between which other work runs. */
export async function passed(cursor: JsonCursor): Promise<PassedValue> {
  for (;;) {
    const value = cursor.pass();
    if (value !== undefined) return value;
    await yieldToEventLoop();
  }
}
