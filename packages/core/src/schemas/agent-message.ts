import * as z from 'zod/mini';
import { openObject } from './open.ts';
import { uuid } from './uuid.ts';

/** A message of the agent: its type, these members, and the two that all of them carry. */
export function agentMessage<const Type extends string, Members extends z.core.$ZodShape>(type: Type, members: Members) {
  return openObject({ type: z.literal(type), ...members, uuid, session_id: z.string() });
}

/** A `system` message of the agent. */
export function systemMessage<const Subtype extends string, Members extends z.core.$ZodShape>(subtype: Subtype, members: Members) {
  return agentMessage('system', { subtype: z.literal(subtype), ...members });
}
