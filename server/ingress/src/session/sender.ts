import type { Role } from '../auth/accounts.ts';
import type { NewEvent } from '../log/event-log.ts';
import { answeredId } from './control-requests.ts';
import type { Entry } from './entry.ts';
import type { EventAttributes, Source } from './session-event.ts';

export interface ClientSender {
  readonly source: 'client';
  readonly name: string;
  readonly role: Role;
  /** The stream of the client, if its link can be resumed. */
  readonly stream?: string | undefined;
}

export type Sender = ClientSender | { readonly source: 'worker' };

/** Begins the ids of events of a worker whose own ids were taken. */
const SPARE_ID_PREFIX = 'worker:';

/** The owner of the ids of a sender in the log. */
export function ownerOf(sender: Sender): string {
  return sender.source === 'worker' ? 'worker' : `client:${sender.name}`;
}

/** The topic of a message, by which an echo of the worker is recognised: its type, and for an answer also the request. */
export function topicOf({ type, payload }: Pick<Entry, 'type' | 'payload'>): string {
  const answered = type === 'control_response' ? answeredId(payload['response']) : undefined;
  return answered === undefined ? type : `${type}:${answered}`;
}

/** Whether a client must not use this id, because it could be the spare id of an event of a worker. */
export function isReservedId(sender: Sender, id: string): boolean {
  return sender.source === 'client' && id.startsWith(SPARE_ID_PREFIX);
}

/**
 * An entry as an event for the log. A worker may echo a message of a client under the id of the client. If the id belongs to another message of a
 * client, the event of the worker is stored under a spare id, which is always the same.
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

/** An event that the server sends in place of the worker. */
export function serverEvent(id: string, payload: string): NewEvent {
  return { id, type: 'control_response', source: 'worker', payload, owner: 'server', spareId: crypto.randomUUID() };
}
