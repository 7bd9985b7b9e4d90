import { encodeLine } from '@proto/core/framing';
import { isObject, objectOf, stringOf, type JsonObject } from '../json.ts';

const MAX_ID_LENGTH = 256;

/** One entry of a POST, taken apart. */
export interface Entry {
  /** The uuid of the message, made where it had none. */
  readonly id: string;
  readonly type: string;
  readonly payload: JsonObject;
  /** The same as JSON text. */
  readonly text: string;
  /** For those who read now, and not to be kept. */
  readonly ephemeral: boolean;
}

/** Why an entry was passed over; the rest of its POST is not affected. */
export type EntryRefusal = 'invalid_entry' | 'too_many_open_requests' | 'already_resolved' | 'invalid_answer';

/** Takes an entry apart; undefined where it has no message with a type. One without a uuid has `fallbackId`. */
export function entryOf(value: unknown, fallbackId: string = crypto.randomUUID()): Entry | undefined {
  const { payload, ephemeral } = objectOf(value);
  if (!isObject(payload)) return undefined;
  const type = stringOf(payload['type']);
  if (type === undefined || type === '') return undefined;
  const given = stringOf(payload['uuid']);
  const id = given !== undefined && given !== '' && given.length <= MAX_ID_LENGTH ? given : fallbackId;
  // What readers take for the envelope of the server comes from the server alone.
  const { ccr_event: _, ...message } = payload;
  const complete = { ...message, uuid: id };
  const text = textOf(complete);
  return text === undefined ? undefined : { id, type, payload: complete, text, ephemeral: ephemeral === true };
}

/** Fit for a line; undefined for what is nested so deeply that it can be read but not written. */
function textOf(value: JsonObject): string | undefined {
  try {
    return encodeLine(value).slice(0, -1);
  } catch {
    return undefined;
  }
}
