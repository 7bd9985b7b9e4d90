import type { ReceivedLine } from '@proto/transport-websocket';
import { Pace, type Steps } from '../event-loop.ts';
import { faultIn } from '../json/payload-limits.ts';
import { hasAmbiguousNames } from '../session/ambiguous-names.ts';
import { type Entry, entryOf, type EntryRefusal } from '../session/entry.ts';

/** How to treat the lines that arrive over a link. */
export interface EntriesOfLinesOptions {
  /** The sender's stream, if its link can be resumed. */
  readonly stream: string | undefined;
  /** Whether to refuse messages that other JSON parsers could read differently; see `hasAmbiguousNames`. Default false. */
  readonly isUnambiguous?: boolean;
}

/** Returns the entries of lines. A line that is left out is replaced by its refusal. Each line is parsed once, from the text that is stored. */
export function* entriesOfLines(
  lines: readonly ReceivedLine[],
  { stream, isUnambiguous = false }: EntriesOfLinesOptions,
): Steps<readonly (Entry | EntryRefusal)[]> {
  const posted: (Entry | EntryRefusal)[] = [];
  const pace = new Pace();
  for (const line of lines) {
    const text = line.text?.trim() ?? '';
    let entry = (yield* faultIn(text)) ?? posting(text, line, stream);
    if (isUnambiguous && typeof entry !== 'string' && (yield* hasAmbiguousNames(text))) entry = 'ambiguous_names';
    // A late `auth` message is dropped: it contains a token, and authentication is over.
    if (typeof entry === 'string' || entry.type !== 'auth') posted.push(entry);
    if (pace.isStepDone(text.length)) yield;
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
