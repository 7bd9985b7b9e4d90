import { encodeLine } from '@proto/core/framing';
import type { CutFault } from '../json/cut-body.ts';
import { idOf, isObject, type JsonObject, stringOf } from '../json/values.ts';
import type { RequestRefusal } from './control-requests.ts';

/** One message that is to be stored. */
export interface Entry {
  /** The uuid of the message, made where it had none. */
  readonly id: string;
  readonly type: string;
  /** What `text` says. A uuid that was added to the text may be missing here. */
  readonly payload: JsonObject;
  /** The message as JSON text: this is parsed, stored and delivered, and nothing else. */
  readonly text: string;
  /** For those who read now, and not to be kept. */
  readonly ephemeral: boolean;
}

/**
 * Why an entry is left out; the rest of its POST is not affected:
 * - `invalid_entry`: no message with a type · `name_twice`: a name stands twice in the entry · `too_deep`, `too_many_values`: see the limits
 * - `ambiguous_names`: an answer that other readers of JSON may read in another way
 * - `event_id_taken`: the uuid belongs to the event of somebody else
 * - `not_initialized`: the agent has not answered an `initialize` of a driver yet, which is what would be repeated
 * - `rate_limited`: the server has answered too much of this client's lately
 * - the others are about control requests
 */
export type EntryRefusal =
  | CutFault
  | RequestRefusal
  | 'ambiguous_names'
  | 'event_id_taken'
  | 'not_initialized'
  | 'rate_limited';

/** What became of one entry of a POST. */
export type EntryResult =
  | { readonly event_id: string; readonly sequence_num?: number; readonly duplicate: boolean }
  | { readonly event_id?: string; readonly error: { readonly type: EntryRefusal } };

/** What a message does not say of itself. */
export interface EntryOptions {
  readonly ephemeral?: boolean;
  /** The id of a message without a uuid. Default: one made at random. */
  readonly fallbackId?: string | undefined;
}

/**
 * The entry of a message. It is kept as it was written. Only where it has no usable uuid, has what readers take for the envelope of the server
 * (`ccr_event`), or has line ends in it, another text is made of it, and that text is parsed in turn.
 * @throws {SyntaxError} where the text is no JSON.
 */
export function entryOf(text: string, options: EntryOptions = {}): Entry | 'invalid_entry' {
  const payload: unknown = JSON.parse(text);
  if (!isObject(payload)) return 'invalid_entry';
  const type = stringOf(payload['type']);
  if (type === undefined || type === '') return 'invalid_entry';
  const { ephemeral = false, fallbackId } = options;
  const uuid = idOf(payload['uuid']);
  const id = uuid ?? fallbackId ?? crypto.randomUUID();
  const { ccr_event: envelope, ...message } = payload;
  const isWritten = envelope === undefined && !/[\n\r\u2028\u2029]/.test(text);
  if (isWritten && uuid !== undefined) return { id, type, payload, text, ephemeral };
  // JSON of an object ends with its brace, and one with a type is not empty.
  if (isWritten && payload['uuid'] === undefined) {
    return { id, type, payload, text: `${text.slice(0, -1)},"uuid":${JSON.stringify(id)}}`, ephemeral };
  }
  return entryOf(encodeLine({ ...message, uuid: id }).slice(0, -1), options);
}
