import { type Members, object } from './object-schema.ts';
import { literal, string } from './schema.ts';
import { uuid } from './uuid.ts';

/** A message of the agent: its type, these members, and the two that all of them carry. */
export function agentMessage<const Type extends string, Declared extends Members>(type: Type, members: Declared) {
  return object({ type: literal(type), ...members, uuid, session_id: string });
}

/** A `system` message of the agent. */
export function systemMessage<const Subtype extends string, Declared extends Members>(
  subtype: Subtype,
  members: Declared,
) {
  return agentMessage('system', { subtype: literal(subtype), ...members });
}
