import * as z from 'zod/mini';

import { object } from './schema.ts';
import { uuid } from './uuid.ts';

/** A message of the agent: its type, these members, and the two that all of them carry. */
export function agentMessage<const Type extends string, Shape extends z.core.$ZodShape>(type: Type, shape: Shape) {
  return object({ type: z.literal(type), ...shape, uuid: uuid(), session_id: z.string() });
}

/** A `system` message of the agent. */
export function systemMessage<const Subtype extends string, Shape extends z.core.$ZodShape>(
  subtype: Subtype,
  shape: Shape,
) {
  return agentMessage('system', { subtype: z.literal(subtype), ...shape });
}
