import type { CutBody, CutEntry } from '../json/cut-body.ts';
import type { JsonObject } from '../json/values.ts';
import type { ReadLimits } from '../log/event-log.ts';
import { latestCursor, type ReaderCursor, readerCursor } from '../stream/reader-cursor.ts';
import { Refusal } from './refusal.ts';

/** The maximum number of entries in one request, and of lines in one WebSocket frame. */
export const MAX_ENTRIES = 10_000;
/** Matches up to 15 digits. A `number` can represent every integer of that length exactly. */
const DIGITS = /^\d{1,15}$/;

/** The last event that a reader already has: the later of the cursors in its header and in a parameter of its URL. */
export function cursorOf(request: Request, parameter: 'from_sequence_num' | 'after'): ReaderCursor {
  const inUrl = new URL(request.url).searchParams.get(parameter);
  return latestCursor([request.headers.get('last-event-id'), inUrl].map(readerCursor));
}

/** Returns a number in the URL; undefined if the parameter is missing. @throws {Refusal} with status 400 for a text that is not a number. */
export function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!DIGITS.test(text)) throw new Refusal(400, 'invalid_request_error', `${name} must be a number`);
  return Number(text);
}

/** Returns the limit of a list of events, which is at most 1000. */
export function limitOf(request: Request): ReadLimits {
  const limit = Number(new URL(request.url).searchParams.get('limit') ?? NaN);
  return Number.isInteger(limit) && limit > 0 ? { maxEvents: Math.min(limit, 1000) } : {};
}

/** Returns a list from a body. The items of the list are not messages. @throws {Refusal} with status 400 or 413. */
export function listOf(members: JsonObject, name: string): readonly unknown[] {
  const items = members[name];
  if (!Array.isArray(items)) throw noList(name);
  if (items.length > MAX_ENTRIES)
    throw new Refusal(413, 'request_too_large', `at most ${MAX_ENTRIES} entries are allowed`);
  return items;
}

/** The list of messages in a body. @throws {Refusal} with status 400 if the list is missing. */
export function entriesOf({ entries }: CutBody, name: string): readonly CutEntry[] {
  if (entries === undefined) throw noList(name);
  return entries;
}

function noList(name: string): Refusal {
  return new Refusal(400, 'invalid_request_error', `${name} must be a list`);
}

/** The epoch in a worker's request, as a number or as digits; undefined if it is missing. @throws {Refusal} with status 400 for any other value. */
export function epochOf({ worker_epoch }: JsonObject): number | undefined {
  if (worker_epoch === undefined) return undefined;
  const epoch = typeof worker_epoch === 'string' && DIGITS.test(worker_epoch) ? Number(worker_epoch) : worker_epoch;
  if (typeof epoch !== 'number' || !Number.isSafeInteger(epoch)) {
    throw new Refusal(400, 'invalid_request_error', 'worker_epoch must be a number');
  }
  return epoch;
}
