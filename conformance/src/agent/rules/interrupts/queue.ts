import { listOf, member, type Message, type Session } from '../../session-log.ts';
import { exchangesOf } from '../exchanges.ts';

/** The host's prompts that have an id that no other message has. */
export function promptsOf({ sent }: Session): Map<unknown, { readonly message: Message; readonly at: number }> {
  const prompts = new Map<unknown, { message: Message; at: number }>();
  const twice = new Set<unknown>();
  for (const placed of sent) {
    const { type, uuid } = placed.message;
    if (type !== 'user' || typeof uuid !== 'string') continue;
    if (prompts.has(uuid)) twice.add(uuid);
    prompts.set(uuid, placed);
  }
  for (const uuid of twice) prompts.delete(uuid);
  return prompts;
}

export const reportsStates = ({ received }: Session) =>
  received.some(({ message }) => message['type'] === 'command_lifecycle');

/** The prompts that waited when a request was sent and still wait when it is answered, as far as the agent has reported. */
export function waitingAt(session: Session, asked: number, at: number): readonly unknown[] {
  const prompts = promptsOf(session);
  const waiting = new Set<unknown>();
  for (const placed of session.received) {
    if (placed.at > at) break;
    const { type, command_uuid: id, state } = placed.message;
    if (type !== 'command_lifecycle' || !prompts.has(id)) continue;
    if (state === 'queued') waiting.add(id);
    else waiting.delete(id);
  }
  return [...waiting].filter((id) => (prompts.get(id)?.at ?? Infinity) < asked);
}

export function removedBy(
  session: Session,
  wanted: string,
): readonly { readonly ids: readonly unknown[]; readonly at: number }[] {
  return exchangesOf(session).flatMap(({ subtype, request, payload, at }) => {
    if (subtype !== wanted) return [];
    const isCancelled = member(payload, 'cancelled') === true;
    const own = isCancelled ? [request['message_uuid']] : [];
    return [{ ids: subtype === 'interrupt' ? listOf(member(payload, 'cancelled')) : own, at }];
  });
}
