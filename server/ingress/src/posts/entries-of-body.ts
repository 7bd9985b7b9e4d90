import { Pace, type Steps } from '../event-loop.ts';
import type { CutEntry } from '../json/cut-body.ts';
import { hasAmbiguousNames } from '../session/ambiguous-names.ts';
import { type Entry, entryOf, type EntryRefusal } from '../session/entry.ts';
import { Refusal } from '../http/refusal.ts';

/** How to treat the messages of a POST. */
export interface EntriesOfBodyOptions {
  /** Returns whether a message is ephemeral, from its entry and its type. */
  readonly isEphemeral: (entry: CutEntry, type: string) => boolean;
  /** Whether to refuse messages that other JSON parsers could read differently; see `hasAmbiguousNames`. Default false. */
  readonly isUnambiguous?: boolean;
}

/**
 * Returns the entries of a POST. An entry that is left out is replaced by its refusal. Each message is parsed once, from the text that is stored.
 * @throws {Refusal} with status 400 for a message that is not JSON.
 */
export function* entriesOfBody(
  entries: readonly CutEntry[],
  { isEphemeral, isUnambiguous = false }: EntriesOfBodyOptions,
): Steps<readonly (Entry | EntryRefusal)[]> {
  const posted: (Entry | EntryRefusal)[] = [];
  const pace = new Pace();
  for (const cut of entries) {
    const entry = posting(cut, isEphemeral);
    // The original text is checked, because a text that was encoded again to remove its line breaks no longer contains duplicate names.
    const isAmbiguous = isUnambiguous && typeof entry !== 'string' && (yield* hasAmbiguousNames(cut.payload ?? ''));
    posted.push(isAmbiguous ? 'ambiguous_names' : entry);
    if (pace.isStepDone(cut.payload?.length ?? 0)) yield;
  }
  return posted;
}

function posting(cut: CutEntry, isEphemeral: EntriesOfBodyOptions['isEphemeral']): Entry | EntryRefusal {
  const { payload, fault } = cut;
  if (fault !== undefined || payload === undefined) return fault ?? 'invalid_entry';
  try {
    const entry = entryOf(payload);
    return typeof entry !== 'string' && isEphemeral(cut, entry.type) ? { ...entry, ephemeral: true } : entry;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new Refusal(400, 'invalid_request_error', 'the body is not JSON');
  }
}
