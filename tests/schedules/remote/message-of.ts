import type { StoredEvent } from '@proto/ingress/event-log';

/** The members of a stored message that the checks use. */
export interface Message {
  readonly type: string;
  readonly uuid: string;
  readonly sender?: string;
  readonly n?: number;
  readonly epoch?: number;
  readonly request_id?: string;
  readonly response?: {
    readonly request_id: string;
    readonly subtype?: string;
    readonly response?: { readonly mark?: string };
    readonly pending_permission_requests?: readonly { readonly request_id: string }[];
  };
}

// A cache, because the same events are checked again and again until every reader has received them.
const messages = new WeakMap<StoredEvent, Message>();

/** Returns the message of an event. */
export function messageOf(event: StoredEvent): Message {
  const message = messages.get(event) ?? (JSON.parse(event.payload) as Message);
  messages.set(event, message);
  return message;
}

/** Returns whether the server answered in place of the worker. */
export function isAnsweredByServer({ attributes }: StoredEvent): boolean {
  return (JSON.parse(attributes ?? '{}') as { answeredBy?: unknown }).answeredBy === 'server';
}
