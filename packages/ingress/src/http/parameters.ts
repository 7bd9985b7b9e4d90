import type { JsonObject } from '../json.ts';
import type { ReadLimits } from '../log/event-log.ts';
import { Refusal } from './refusal.ts';

const MAX_ENTRIES = 10_000;
/** What a number holds exactly. */
const DIGITS = /^\d{1,15}$/;

/** The last event a reader has: the larger of what its header and its URL say; 0 where neither says a number. */
export function cursorOf(request: Request): number {
  const { searchParams } = new URL(request.url);
  const said = [request.headers.get('last-event-id'), searchParams.get('from_sequence_num'), searchParams.get('after')];
  return Math.max(0, ...said.map((text) => (DIGITS.test(text ?? '') ? Number(text) : 0)));
}

/** A number of the URL; undefined where it has none. */
export function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!DIGITS.test(text)) throw new Refusal(400, 'invalid_request_error', `${name} is no number`);
  return Number(text);
}

/** How many events a list may have. */
export function limitOf(request: Request): ReadLimits {
  const limit = Number(new URL(request.url).searchParams.get('limit') ?? NaN);
  return Number.isInteger(limit) && limit > 0 ? { maxEvents: Math.min(limit, 1000) } : {};
}

/** The list of a body. */
export function entriesOf(body: JsonObject, member: string): readonly unknown[] {
  const entries = body[member];
  if (!Array.isArray(entries)) throw new Refusal(400, 'invalid_request_error', `${member} is no list`);
  if (entries.length > MAX_ENTRIES) throw new Refusal(413, 'request_too_large', `at most ${MAX_ENTRIES} entries`);
  return entries;
}

/** The epoch a worker claims: a number, or one as text; undefined where it claims none. */
export function epochOf({ worker_epoch }: JsonObject): number | undefined {
  if (worker_epoch === undefined) return undefined;
  const epoch = typeof worker_epoch === 'string' && DIGITS.test(worker_epoch) ? Number(worker_epoch) : worker_epoch;
  if (typeof epoch !== 'number' || !Number.isSafeInteger(epoch)) {
    throw new Refusal(400, 'invalid_request_error', 'worker_epoch is no number');
  }
  return epoch;
}
