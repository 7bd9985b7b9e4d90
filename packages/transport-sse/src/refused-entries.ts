import type { Incoming } from '@proto/core/transport';
import { jsonOf, membersOf } from './session-frames.ts';

/** The error that the server reports for one message of an accepted POST. */
export interface RefusedEntry {
  readonly event_id: string | undefined;
  readonly error: unknown;
}

export function noticesOf(refused: readonly RefusedEntry[]): readonly Extract<Incoming, { kind: 'notice' }>[] {
  return refused.map((data) => ({ kind: 'notice', event: 'message_refused', data }));
}

// One decoder for all answers: creating a decoder takes longer than decoding an answer.
const decoder = /* @__PURE__ */ new TextDecoder();

/** `already_resolved` is left out, because several clients may answer the same request and only the first answer counts. */
export function refusedEntries(
  answer: readonly Uint8Array[],
  posted: readonly { readonly id: string | undefined }[],
): readonly RefusedEntry[] {
  const text = answer.map((bytes) => decoder.decode(bytes, { stream: true })).join('') + decoder.decode();
  // Nearly all answers report no error and need not be parsed.
  if (!text.includes('"error"')) return [];
  const { events, results = events } = membersOf(jsonOf(text));
  if (!Array.isArray(results) || results.length !== posted.length) return [];
  return results.flatMap((result: unknown, index) => {
    const { error } = membersOf(result);
    const isReported = error !== undefined && membersOf(error)['type'] !== 'already_resolved';
    return isReported ? [{ event_id: posted[index]?.id, error }] : [];
  });
}
