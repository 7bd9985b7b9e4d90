import { type JsonObject, parseObject, stringOf } from '../json/values.ts';
import type { StoredEvent } from '../log/event-log.ts';

/** Which side of a session produced an event. Only the server sets this. */
export type Source = 'client' | 'worker';

/** Facts that the server stores in addition to the message of an event. */
export interface EventAttributes {
  /** The name of the account that sent the event. */
  readonly sender?: string | undefined;
  /** The client's stream, if its link can be resumed. */
  readonly stream?: string | undefined;
  /** `server` for a request that the server has answered itself and does not send to the worker. */
  readonly answeredBy?: 'server' | undefined;
}

/** An event of a session, with its parsed message. */
export interface SessionEvent {
  readonly sequence: number;
  readonly id: string;
  readonly type: string;
  readonly source: Source;
  /** The name of the account that sent the event; absent for the worker. */
  readonly sender?: string | undefined;
  readonly payload: JsonObject;
  readonly createdAt: number;
  readonly isKept: boolean;
  /** Whether the event is for the worker: sent by a client, and not answered by the server itself. */
  readonly isForWorker: boolean;
}

/** A stored event with its parsed message. */
export function sessionEventOf(stored: StoredEvent, payload: JsonObject): SessionEvent {
  const { sequence, id, type, createdAt } = stored;
  const source = stored.source === 'worker' ? 'worker' : 'client';
  const { answeredBy, sender } = attributesOf(stored);
  const isForWorker = source === 'client' && stringOf(answeredBy) === undefined;
  return { sequence, id, type, source, sender: stringOf(sender), payload, createdAt, isKept: true, isForWorker };
}

/** Parses the message of a stored event. Returns undefined if the event is damaged. */
export function payloadOf({ payload }: Pick<StoredEvent, 'payload'>): JsonObject | undefined {
  return parseObject(payload);
}

/** The name of the account that sent a stored event; undefined for the worker. */
export function senderOf(event: Pick<StoredEvent, 'attributes'>): string | undefined {
  return attributeOf(event, 'sender');
}

/** The stream of the client that sent a stored event, if the link of the client could be resumed. */
export function streamOf(event: Pick<StoredEvent, 'attributes'>): string | undefined {
  return attributeOf(event, 'stream');
}

function attributeOf({ attributes }: Pick<StoredEvent, 'attributes'>, name: keyof EventAttributes): string | undefined {
  return stringOf(attributesOf({ attributes })[name]);
}

const NO_ATTRIBUTES: JsonObject = {};

/** The attributes of a stored event; empty if they are missing or damaged. */
export function attributesOf({ attributes }: Pick<StoredEvent, 'attributes'>): JsonObject {
  return (attributes === undefined ? undefined : parseObject(attributes)) ?? NO_ATTRIBUTES;
}
