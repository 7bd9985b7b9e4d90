import { endedPrompts, isPrompt, subtypeOf } from '../rules/timeline.ts';
import { member, type Session } from '../session-log.ts';

/** A request that ends or withdraws prompts. */
export interface Disturbance {
  /** The prompts that were open when the host sent the request. */
  readonly uuids: readonly unknown[];
}

/** What these requests do depends on the speed of the agent. A request that was sent while no prompt was open is not in the list. */
export function disturbancesIn({ sent, received }: Session): readonly Disturbance[] {
  const ends = new Map<unknown, number>();
  for (const { message, at } of received)
    for (const uuid of endedPrompts(message)) if (!ends.has(uuid)) ends.set(uuid, at);
  const prompts = sent.flatMap(({ message, at }) => (isPrompt(message) ? [{ uuid: message['uuid'], at }] : []));
  return sent.flatMap(({ message, at }) => {
    const subtype = subtypeOf(message);
    if (subtype !== 'interrupt' && subtype !== 'cancel_async_message') return [];
    const open = prompts.filter((prompt) => prompt.at < at && (ends.get(prompt.uuid) ?? Infinity) > at);
    const named = member(message, 'request', 'message_uuid');
    const uuids = open.map(({ uuid }) => uuid).filter((uuid) => subtype === 'interrupt' || uuid === named);
    return uuids.length === 0 ? [] : [{ uuids }];
  });
}
