import type { IdentifiedMessage, IncomingNotice } from '@proto/core/internal';
import { jsonOf, membersOf } from './session-frames.ts';

/** What a server says of a message that it did not take out of a POST that it took. */
export interface RefusedEntry {
  readonly event_id: string | undefined;
  readonly error: unknown;
}

/** What the reader is told of that. */
export function noticesOf(refused: readonly RefusedEntry[]): readonly IncomingNotice[] {
  return refused.map((data) => ({ kind: 'notice', event: 'message_refused', data }));
}

/** The entries that an answer says were not taken. A second answer to a request is no mistake of who gave it. */
export function refusedEntries(
  answer: readonly Uint8Array[],
  posted: readonly Pick<IdentifiedMessage, 'id'>[],
): readonly RefusedEntry[] {
  const decoder = new TextDecoder();
  const text = answer.map((bytes) => decoder.decode(bytes, { stream: true })).join('');
  // Next to all answers have none, and need not be parsed.
  if (!text.includes('"error"')) return [];
  const { events, results = events } = membersOf(jsonOf(text));
  if (!Array.isArray(results) || results.length !== posted.length) return [];
  return results.flatMap((result: unknown, index) => {
    const { error } = membersOf(result);
    const isTold = error !== undefined && membersOf(error)['type'] !== 'already_resolved';
    return isTold ? [{ event_id: posted[index]?.id, error }] : [];
  });
}
