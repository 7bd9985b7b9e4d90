import { encodeLine } from '@proto/core/framing';
import type { CutFault } from '../json/cut-body.ts';
import { idOf, isObject, type JsonObject, stringOf } from '../json/values.ts';
import type { RequestRefusal } from './control-requests.ts';

/** One message to store. */
export interface Entry {
  /** The uuid of the message, or a new id for a message without a uuid. */
  readonly id: string;
  readonly type: string;
  /** The parsed `text`. A uuid that was added to the text may be missing here. */
  readonly payload: JsonObject;
  /** The message as JSON text. Only this text is parsed, stored and delivered. */
  readonly text: string;
  /** Whether the message is only for readers that are connected now and is not stored. */
  readonly ephemeral: boolean;
}

/**
 * Why an entry was not stored. The other entries of its POST are not affected:
 * - `invalid_entry`: not a message with a type · `name_twice`: a member name occurs twice in the entry · `too_deep`, `too_many_values`: see the
 *   limits
 * - `ambiguous_names`: an answer that other JSON parsers may read differently
 * - `event_id_taken`: the uuid belongs to an event of another sender
 * - `not_initialized`: the agent has not yet answered a driver's `initialize`, so the server has no answer to repeat
 * - `rate_limited`: the server has recently answered too many requests from this client
 * - for the other refusals, see `RequestRefusal`
 */
export type EntryRefusal =
  | CutFault
  | RequestRefusal
  | 'ambiguous_names'
  | 'event_id_taken'
  | 'not_initialized'
  | 'rate_limited';

/** The result of one entry of a POST, as on the wire. */
export type EntryResult =
  | { readonly event_id: string; readonly sequence_num?: number; readonly duplicate: boolean }
  | { readonly event_id?: string; readonly error: { readonly type: EntryRefusal } };

/** Facts about a message that are not in its text. */
export interface EntryOptions {
  readonly ephemeral?: boolean;
  /** The id for a message without a uuid. Default: a random uuid. */
  readonly fallbackId?: string | undefined;
}

/**
 * Creates the entry of a message. The text of the message is kept unchanged, with three exceptions: a message without a usable uuid, a message with a
 * member `ccr_event` (which readers would mistake for the server's envelope), and a message that contains line ends. Such a message is encoded again,
 * and the new text is parsed.
 * @throws {SyntaxError} for a text that is not JSON.
 */
export function entryOf(text: string, options: EntryOptions = {}): Entry | 'invalid_entry' {
  const payload: unknown = JSON.parse(text);
  if (!isObject(payload)) return 'invalid_entry';
  const type = stringOf(payload['type']);
  if (type === undefined || type === '') return 'invalid_entry';
  const { ephemeral = false, fallbackId } = options;
  const uuid = idOf(payload['uuid']);
  const id = uuid ?? fallbackId ?? crypto.randomUUID();
  const isWritten = payload['ccr_event'] === undefined && !/[\n\r\u2028\u2029]/.test(text);
  if (isWritten && uuid !== undefined) return { id, type, payload, text, ephemeral };
  // The text of an object ends with `}`, and an object with a type is not empty, so the uuid can be added after a comma.
  if (isWritten && payload['uuid'] === undefined) {
    return { id, type, payload, text: `${text.slice(0, -1)},"uuid":${JSON.stringify(id)}}`, ephemeral };
  }
  const { ccr_event: _, ...message } = payload;
  return entryOf(encodeLine({ ...message, uuid: id }).slice(0, -1), options);
}
