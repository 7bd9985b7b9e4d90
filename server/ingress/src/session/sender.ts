import type { Role } from '../auth/accounts.ts';
import type { NewEvent } from '../log/event-log.ts';
import { answeredId } from './control-requests.ts';
import type { Entry } from './entry.ts';
import type { EventAttributes, Source } from './session-event.ts';

export interface ClientSender {
  readonly source: 'client';
  readonly name: string;
  readonly role: Role;
  /** The client's stream, if its link can be resumed. */
  readonly stream?: string | undefined;
}

export type Sender = ClientSender | { readonly source: 'worker' };

/** The prefix of the ids of worker events whose own ids were already taken. */
const SPARE_ID_PREFIX = 'worker:';

/** Returns the owner that the log records for a sender's ids. */
export function ownerOf(sender: Sender): string {
  return sender.source === 'worker' ? 'worker' : `client:${sender.name}`;
}

/** Returns the topic of a message, which is used to recognise an echo from the worker: its type, and for an answer also the request. */
export function topicOf({ type, payload }: Pick<Entry, 'type' | 'payload'>): string {
  const answered = type === 'control_response' ? answeredId(payload['response']) : undefined;
  return answered === undefined ? type : `${type}:${answered}`;
}

/** Whether a client must not use this id, because it could be the spare id of a worker's event. */
export function isReservedId(sender: Sender, id: string): boolean {
  return sender.source === 'client' && id.startsWith(SPARE_ID_PREFIX);
}

/**
 * Converts an entry to an event for the log. A worker may echo a client's message with the client's id. If the id belongs to a different message of a
 * client, the worker's event is stored with a spare id, which is always the same for that id.
 */
export function newEvent(entry: Entry, sender: Sender, attributes: EventAttributes = {}): NewEvent {
  const { id, type, text: payload } = entry;
  const source: Source = sender.source;
  const owner = ownerOf(sender);
  const topic = topicOf(entry);
  if (sender.source === 'worker') {
    return { id, type, source, payload, owner, echoes: topic, spareId: `${SPARE_ID_PREFIX}${id}` };
  }
  const known: EventAttributes = { sender: sender.name, stream: sender.stream, ...attributes };
  return { id, type, source, payload, owner, topic, attributes: JSON.stringify(known) };
}

/** Returns an event that the server sends on behalf of the worker. */
export function serverEvent(id: string, payload: string): NewEvent {
  return { id, type: 'control_response', source: 'worker', payload, owner: 'server', spareId: crypto.randomUUID() };
}
