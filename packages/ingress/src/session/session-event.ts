import { type JsonObject, parseObject, stringOf } from '../json/values.ts';
import type { StoredEvent } from '../log/event-log.ts';

/** Which side of a session produced an event. Set by the server alone. */
export type Source = 'client' | 'worker';

/** What the server knows of an event beside the message, as it is stored. */
export interface EventAttributes {
  /** The account that sent it. */
  readonly sender?: string | undefined;
  /** The stream of that client, where its link can be resumed. */
  readonly stream?: string | undefined;
  /** `server` for a request that the server answered by itself: it is not for the worker. */
  readonly answeredBy?: 'server' | undefined;
}

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
  /** Whether the log has it. */
  readonly isKept: boolean;
  /** Whether it is for the worker: sent by a client, and not answered by the server itself. */
  readonly isForWorker: boolean;
}

/** A stored event with its message, which was parsed already. */
export function sessionEventOf(stored: StoredEvent, payload: JsonObject): SessionEvent {
  const { sequence, id, type, createdAt } = stored;
  const source = stored.source === 'worker' ? 'worker' : 'client';
  const isForWorker = source === 'client' && attributeOf(stored, 'answeredBy') === undefined;
  return { sequence, id, type, source, sender: senderOf(stored), payload, createdAt, isKept: true, isForWorker };
}

/** The message of a stored event; undefined where its text is none. */
export function payloadOf({ payload }: Pick<StoredEvent, 'payload'>): JsonObject | undefined {
  return parseObject(payload);
}

/** The account that sent a stored event. */
export function senderOf(event: Pick<StoredEvent, 'attributes'>): string | undefined {
  return attributeOf(event, 'sender');
}

/** The stream of the client that sent a stored event, where it came over a link that can be resumed. */
export function streamOf(event: Pick<StoredEvent, 'attributes'>): string | undefined {
  return attributeOf(event, 'stream');
}

function attributeOf({ attributes }: Pick<StoredEvent, 'attributes'>, name: keyof EventAttributes): string | undefined {
  return stringOf(attributesOf({ attributes })[name]);
}

/** What the server knows of a stored event; empty where that is damaged. */
export function attributesOf({ attributes }: Pick<StoredEvent, 'attributes'>): JsonObject {
  return (attributes === undefined ? undefined : parseObject(attributes)) ?? {};
}
