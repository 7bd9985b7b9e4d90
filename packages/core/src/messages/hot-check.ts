import * as z from 'zod/mini';

import type { SchemaOf } from './schema.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/**
 * How many messages of a type are checked before its schema is compiled. Compiling takes milliseconds and saves some
 * microseconds per message; a type seen this often in one process is going to be seen a lot.
 */
export const COMPILE_AFTER = 20;

/** Tells whether values satisfy the schema. Builds the schema at the first value, compiles it once it was used much. */
export function hotCheck(build: () => SchemaOf<unknown>): Verdict {
  let checked = 0;
  let verdict: Verdict = (value) => {
    const schema = build();
    if (++checked === COMPILE_AFTER) verdict = verdictOf(schema);
    return z.validate(schema, value);
  };
  return (value) => verdict(value);
}
