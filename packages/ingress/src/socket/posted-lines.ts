import type { ReceivedLine } from '@proto/transport-websocket';
import { Pace } from '../event-loop.ts';
import { faultIn } from '../json/payload-limits.ts';
import { hasAmbiguousNames } from '../session/ambiguous-names.ts';
import { type Entry, entryOf, type EntryRefusal } from '../session/entry.ts';

/** What of a line does not follow from its text. */
export interface PostedLinesOptions {
  /** The stream of the sender, where its link can be resumed. */
  readonly stream: string | undefined;
  /** Whether other readers of JSON have to find the same in it; see `hasAmbiguousNames`. */
  readonly isUnambiguous?: boolean;
}

/** The entries of lines, or why one is left out. Each line is parsed once, from the text that is stored. */
export async function postedLines(
  lines: readonly ReceivedLine[],
  { stream, isUnambiguous = false }: PostedLinesOptions,
): Promise<readonly (Entry | EntryRefusal)[]> {
  const posted: (Entry | EntryRefusal)[] = [];
  const pace = new Pace();
  for (const line of lines) {
    const text = line.text?.trim() ?? '';
    let entry = (await faultIn(text)) ?? posting(text, line, stream);
    if (isUnambiguous && typeof entry !== 'string' && (await hasAmbiguousNames(text))) entry = 'ambiguous_names';
    // A late credential is dropped: it holds a token, and authentication is over.
    if (typeof entry === 'string' || entry.type !== 'auth') posted.push(entry);
    await pace.after(text.length);
  }
  return posted;
}

function posting(text: string, { id }: ReceivedLine, stream: string | undefined): Entry | EntryRefusal {
  // A line that is sent again gets the same id.
  const fallbackId = stream === undefined || id === undefined ? undefined : `${stream}:${id}`;
  try {
    const entry = entryOf(text, { fallbackId });
    // A line has no envelope that could mark it as ephemeral.
    return typeof entry !== 'string' && entry.type === 'stream_event' ? { ...entry, ephemeral: true } : entry;
  } catch (error) {
    if (error instanceof SyntaxError) return 'invalid_entry';
    throw error;
  }
}
