import * as z from 'zod/mini';
import { openObject } from '../open.ts';

/** The body of a request: its subtype, and these members. */
export function requestOf<const Subtype extends string, Members extends z.core.$ZodShape>(subtype: Subtype, members: Members) {
  return openObject({ subtype: z.literal(subtype), ...members });
}
