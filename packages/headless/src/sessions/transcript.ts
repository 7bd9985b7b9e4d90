import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { decodeLines } from '@proto/core/framing';
import { decodeEntry, type TranscriptEntry } from './transcript-entry.ts';

/** A conversation as it is read, entry by entry. */
export interface Transcript {
  add(entry: TranscriptEntry): void;
  /** The conversation in order: from its last message back to the first. */
  branch(): readonly TranscriptEntry[];
}

/**
 * Makes a transcript without entries. Each names the one it stands behind, so that a conversation which was taken up in its middle, or by
 * two processes at once, is one of its branches.
 */
export function createTranscript(): Transcript {
  const entries = new Map<string, TranscriptEntry>();
  let last: TranscriptEntry | undefined;
  let previous: TranscriptEntry | undefined;
  return {
    add(entry) {
      if (entries.has(entry.uuid)) return;
      // What stood behind one that was lost stands behind the one before it.
      const isOrphan = entry.parentUuid !== null && !entries.has(entry.parentUuid);
      const placed = isOrphan ? { ...entry, parentUuid: previous?.uuid ?? null } : entry;
      entries.set(entry.uuid, placed);
      previous = placed;
      if (placed.isSaid) last = placed;
    },
    branch() {
      const branch: TranscriptEntry[] = [];
      // An entry stands behind an earlier one, so that there is no circle.
      for (let at = last; at !== undefined; at = at.parentUuid === null ? undefined : entries.get(at.parentUuid)) {
        if (at.isSaid) branch.push(at);
      }
      return branch.toReversed();
    },
  };
}

/** The largest session file that is read, in bytes. */
export const DEFAULT_MAX_TRANSCRIPT_BYTES = 256 * 1024 * 1024;

/**
 * The conversation in a session file, in order. Lines that cannot be read are passed over, as the last one of a process that was
 * killed. Rejects for a file above the limit.
 */
export async function readTranscript(
  path: string,
  maxBytes: number = DEFAULT_MAX_TRANSCRIPT_BYTES,
): Promise<readonly TranscriptEntry[]> {
  const { size } = await stat(path);
  if (size > maxBytes) throw new Error(`The session file is too large to resume: ${size} of at most ${maxBytes} bytes`);
  const transcript = createTranscript();
  // Up to the size that was judged: another process may be writing.
  const bytes = createReadStream(path, { end: Math.max(size - 1, 0) });
  for await (const line of decodeLines(bytes, { maxLineBytes: maxBytes })) {
    const entry = typeof line === 'string' ? decodeEntry(line) : undefined;
    if (entry !== undefined) transcript.add(entry);
  }
  return transcript.branch();
}
