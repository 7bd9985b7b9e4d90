import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { decodeLines } from '@proto/core/framing';
import { splitAtNul } from '@proto/core/internal';
import { withParallelCalls } from './parallel-calls.ts';
import { decodeEntry, type TranscriptEntry } from './transcript-entry.ts';

export interface Transcript {
  add(entry: TranscriptEntry): void;
  /** Returns, in order, the branch that ends with the last message. */
  branch(): readonly TranscriptEntry[];
}

/**
 * Each entry names its predecessor. If a session was resumed in the middle, or by two processes at once, the transcript has several branches, and the
 * conversation is one of them.
 */
export function createTranscript(): Transcript {
  const entries = new Map<string, TranscriptEntry>();
  let last: TranscriptEntry | undefined;
  let previous: TranscriptEntry | undefined;
  return {
    add(entry) {
      if (entries.has(entry.uuid)) return;
      // If the predecessor of an entry was lost, the entry follows the entry before the lost entry.
      const isOrphan = entry.parentUuid !== null && !entries.has(entry.parentUuid);
      const placed = isOrphan ? { ...entry, parentUuid: previous?.uuid ?? null } : entry;
      entries.set(entry.uuid, placed);
      previous = placed;
      if (placed.isSaid) last = placed;
    },
    branch() {
      const branch: TranscriptEntry[] = [];
      // An entry follows only an earlier entry, so cycles are impossible.
      for (let at = last; at !== undefined; at = at.parentUuid === null ? undefined : entries.get(at.parentUuid)) {
        if (at.isSaid) branch.push(at);
      }
      return withParallelCalls(branch.toReversed(), entries.values());
    },
  };
}

export const DEFAULT_MAX_TRANSCRIPT_BYTES = 256 * 1024 * 1024;

/** Skips lines that cannot be read, such as the last line of a killed process. Rejects if the file exceeds the limit. */
export async function readTranscript(
  path: string,
  maxBytes: number = DEFAULT_MAX_TRANSCRIPT_BYTES,
): Promise<readonly TranscriptEntry[]> {
  const transcript = createTranscript();
  for await (const entry of entriesIn(path, maxBytes)) transcript.add(entry);
  return transcript.branch();
}

/** Yields the entries of a session file in the order of its lines. Skips lines that cannot be read. */
export async function* entriesIn(
  path: string,
  maxBytes: number = DEFAULT_MAX_TRANSCRIPT_BYTES,
): AsyncGenerator<TranscriptEntry, void, undefined> {
  const { size } = await stat(path);
  if (size > maxBytes)
    throw new Error(
      `The session file is too large to resume: it has ${size} bytes, and at most ${maxBytes} are allowed`,
    );
  // Reads only up to the checked size, because another process may be writing.
  const bytes = createReadStream(path, { end: Math.max(size - 1, 0) });
  for await (const line of decodeLines(bytes, { maxLineBytes: maxBytes })) {
    for (const record of typeof line === 'string' ? splitAtNul(line) : []) {
      const entry = decodeEntry(record);
      if (entry !== undefined) yield entry;
    }
  }
}
