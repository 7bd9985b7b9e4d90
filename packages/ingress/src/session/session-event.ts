import type { StoredEvent } from '../log/event-log.ts';
import { objectOf, stringOf, type JsonObject } from '../json.ts';

/** Which side of a session produced an event. Set by the server alone. */
export type Source = 'client' | 'worker';

/** An event of a session, with its message parsed. */
export interface SessionEvent {
  readonly sequence: number;
  /** The uuid of the message. */
  readonly id: string;
  readonly type: string;
  readonly source: Source;
  /** The account that sent it; absent for the worker. */
  readonly sender?: string | undefined;
  readonly payload: JsonObject;
  readonly createdAt: number;
}

/** A stored event with its message parsed. */
export function sessionEventOf(stored: StoredEvent): SessionEvent {
  const { sequence, id, type, payload, createdAt } = stored;
  const source = stored.source === 'worker' ? 'worker' : 'client';
  return { sequence, id, type, source, sender: senderOf(stored), payload: objectOf(JSON.parse(payload)), createdAt };
}

/** The account that sent a stored event. */
export function senderOf(event: Pick<StoredEvent, 'attributes'>): string | undefined {
  return attributeOf(event, 'sender');
}

/** The stream of the client that sent a stored event, where it came over a link that can be resumed. */
export function streamOf(event: Pick<StoredEvent, 'attributes'>): string | undefined {
  return attributeOf(event, 'stream');
}

function attributeOf({ attributes }: Pick<StoredEvent, 'attributes'>, name: string): string | undefined {
  return attributes === undefined ? undefined : stringOf(objectOf(JSON.parse(attributes))[name]);
}
