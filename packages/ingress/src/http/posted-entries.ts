import { Pace } from '../event-loop.ts';
import type { CutEntry } from '../json/cut-body.ts';
import { hasAmbiguousNames } from '../session/ambiguous-names.ts';
import { type Entry, entryOf, type EntryRefusal } from '../session/entry.ts';
import { Refusal } from './refusal.ts';

/** What of a message does not follow from its text. */
export interface PostedOptions {
  /** Whether a message is not to be kept, by its entry and its type. */
  readonly isEphemeral: (entry: CutEntry, type: string) => boolean;
  /** Whether other readers of JSON have to find the same in it; see `hasAmbiguousNames`. */
  readonly isUnambiguous?: boolean;
}

/**
 * The entries of a POST, or why one is left out. Each message is parsed once, from the text that is stored.
 * @throws {Refusal} with status 400 where a message is no JSON.
 */
export async function postedEntries(
  entries: readonly CutEntry[],
  { isEphemeral, isUnambiguous = false }: PostedOptions,
): Promise<readonly (Entry | EntryRefusal)[]> {
  const posted: (Entry | EntryRefusal)[] = [];
  const pace = new Pace();
  for (const cut of entries) {
    const entry = posting(cut, isEphemeral);
    // The text as it was sent is checked: one that was rewritten for its line ends has lost its duplicate names.
    const isAmbiguous = isUnambiguous && typeof entry !== 'string' && (await hasAmbiguousNames(cut.payload ?? ''));
    posted.push(isAmbiguous ? 'ambiguous_names' : entry);
    await pace.after(cut.payload?.length ?? 0);
  }
  return posted;
}

function posting(cut: CutEntry, isEphemeral: PostedOptions['isEphemeral']): Entry | EntryRefusal {
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
