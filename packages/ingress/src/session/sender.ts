import type { Role } from '../auth/accounts.ts';
import type { NewEvent } from '../log/event-log.ts';
import { answeredId } from './control-requests.ts';
import type { Entry } from './entry.ts';
import type { EventAttributes, Source } from './session-event.ts';

/** A client that sends something. */
export interface ClientSender {
  readonly source: 'client';
  readonly name: string;
  readonly role: Role;
  /** Its stream, where its link can be resumed. */
  readonly stream?: string | undefined;
}

/** Who sends something. */
export type Sender = ClientSender | { readonly source: 'worker' };

/** What the ids of a worker's events begin with where their own is taken. */
const SPARE_ID_PREFIX = 'worker:';

/** Whom the log takes for the owner of an id. */
export function ownerOf(sender: Sender): string {
  return sender.source === 'worker' ? 'worker' : `client:${sender.name}`;
}

/** By what a worker's echo of a message is known: the type, and for an answer the request as well. */
export function topicOf({ type, payload }: Pick<Entry, 'type' | 'payload'>): string {
  const answered = type === 'control_response' ? answeredId(payload['response']) : undefined;
  return answered === undefined ? type : `${type}:${answered}`;
}

/** Whether a client must not use this id: a worker's event may be kept under it, when its own was taken. */
export function isReservedId(sender: Sender, id: string): boolean {
  return sender.source === 'client' && id.startsWith(SPARE_ID_PREFIX);
}

/**
 * An entry as the log keeps it. A worker may repeat what a client said under the client's id, which is its echo; under an id that a client took
 * for something else, the event of the worker is kept all the same, and always under the same other id.
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

/** An event that the server says in place of the worker. */
export function serverEvent(id: string, payload: string): NewEvent {
  return { id, type: 'control_response', source: 'worker', payload, owner: 'server', spareId: crypto.randomUUID() };
}
