import type { TranscriptEntry } from './transcript-entry.ts';

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
