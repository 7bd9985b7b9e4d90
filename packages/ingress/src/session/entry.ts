import { encodeLine } from '@proto/core/framing';
import { isObject, objectOf, stringOf, type JsonObject } from '../json.ts';
import type { Refusal } from './control-requests.ts';
import { idOf } from './id.ts';

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
export type EntryRefusal = 'invalid_entry' | Refusal;

/** What became of one entry of a POST. */
export type EntryResult =
  | { readonly event_id: string; readonly sequence_num?: number; readonly duplicate: boolean }
  | { readonly event_id?: string; readonly error: { readonly type: EntryRefusal } };

/**
 * Takes an entry apart; undefined where it has no message with a type. One without a uuid has `fallbackId`. `written` is its message as it
 * came, which is what is kept, but for a uuid that is added at its end.
 */
export function entryOf(value: unknown, fallbackId: string = crypto.randomUUID(), written?: string): Entry | undefined {
  const { payload, ephemeral } = objectOf(value);
  if (!isObject(payload)) return undefined;
  const type = stringOf(payload['type']);
  if (type === undefined || type === '') return undefined;
  const id = idOf(payload['uuid']) ?? fallbackId;
  // What readers take for the envelope of the server comes from the server alone.
  const { ccr_event: envelope, ...message } = payload;
  const complete = { ...message, uuid: id };
  const isAsWritten = envelope === undefined && (payload['uuid'] === undefined || payload['uuid'] === id);
  const text = (isAsWritten ? asWritten(written, payload, id) : undefined) ?? textOf(complete);
  return text === undefined ? undefined : { id, type, payload: complete, text, ephemeral: ephemeral === true };
}

/** Undefined for what is not fit for a line. */
function asWritten(written: string | undefined, { uuid }: JsonObject, id: string): string | undefined {
  if (written === undefined || /[\n\r\u2028\u2029]/.test(written)) return undefined;
  return uuid === undefined ? `${written.slice(0, -1)},"uuid":${JSON.stringify(id)}}` : written;
}

/** Fit for a line; undefined for what is nested so deeply that it can be read but not written. */
function textOf(value: JsonObject): string | undefined {
  try {
    return encodeLine(value).slice(0, -1);
  } catch {
    return undefined;
  }
}
