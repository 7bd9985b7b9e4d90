import type { StoredEvent } from '@proto/ingress';

/** What a stored message says of itself. */
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

// The same events are looked at again and again, until everybody has heard them.
const messages = new WeakMap<StoredEvent, Message>();

/** The message of an event. */
export function messageOf(event: StoredEvent): Message {
  const message = messages.get(event) ?? (JSON.parse(event.payload) as Message);
  messages.set(event, message);
  return message;
}

/** Whether the server answered it in place of the worker. */
export function isAnsweredByServer({ attributes }: StoredEvent): boolean {
  return (JSON.parse(attributes ?? '{}') as { answeredBy?: unknown }).answeredBy === 'server';
}
