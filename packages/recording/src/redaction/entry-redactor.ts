import { parseJson } from '@proto/core/framing';
import type { RecordedLine, RecordedNotice, RecordingEntry } from '../recording.ts';
import type { Redactor } from './redactor.ts';
import { redactedPieces, type StreamedPiece, streamStepOf } from './streamed-pieces.ts';

// The largest amount of text that is held back until streamed texts end, in UTF-16 units: at most 16 MiB of memory. A secret that is split by this
// limit is not found.
const MAX_HELD_LENGTH = 8 * 1024 * 1024;
const MAX_HELD_ENTRIES = 50_000;

interface Held {
  readonly entry: RecordingEntry;
  readonly piece: StreamedPiece | undefined;
}

/** Removes secrets from the entries of a recording, in order. */
export interface EntryRedactor {
  /** Adds the next entry. Entries are written in order, either immediately or when the texts that are being streamed have ended. */
  add(entry: RecordingEntry): void;
}

/**
 * Creates a redactor for entries. A secret may be streamed in pieces that look harmless individually. Therefore, while a text is streamed, entries
 * are held back until the text ends, and the text is searched as a whole.
 */
export function createEntryRedactor(redactor: Redactor, write: (entry: RecordingEntry) => void): EntryRedactor {
  const open = new Set<string>();
  let held: Held[] = [];
  let length = 0;

  function release(): void {
    const texts = new Map<string, StreamedPiece[]>();
    for (const { piece } of held) {
      if (piece === undefined) continue;
      const pieces = texts.get(piece.key) ?? [];
      pieces.push(piece);
      texts.set(piece.key, pieces);
    }
    const clean = new Map<StreamedPiece, string>();
    for (const pieces of texts.values()) {
      const redacted = redactedPieces(
        pieces.map(({ text }) => text),
        redactor,
      );
      for (const [index, piece] of pieces.entries()) clean.set(piece, redacted[index] ?? '');
    }
    for (const { entry, piece } of held) write(redactedEntry(entry, piece, piece && clean.get(piece)));
    held = [];
    length = 0;
  }

  function redactedEntry(
    entry: RecordingEntry,
    piece: StreamedPiece | undefined,
    text: string | undefined,
  ): RecordingEntry {
    if ('lost' in entry) return { ...entry, excerpt: redactor.text(entry.excerpt) };
    if ('notice' in entry) return redactedNotice(entry, redactor);
    if (!('line' in entry)) return entry;
    const isChanged = piece !== undefined && text !== undefined && text !== piece.text;
    const line = redactor.line(isChanged ? piece.with(text) : entry.line);
    const redacted = [...new Set([...(isChanged ? [piece.path] : []), ...line.redacted])];
    return { ...entry, line: line.text, ...(redacted.length > 0 && { redacted }) } satisfies RecordedLine;
  }

  return {
    add(entry) {
      const step = 'line' in entry && entry.dir === 'from-agent' ? streamStepOf(entry.line) : undefined;
      const piece = step !== undefined && 'piece' in step ? step.piece : undefined;
      held.push({ entry, piece });
      length += lengthOf(entry);
      if (piece !== undefined) open.add(piece.key);
      else if (step !== undefined && 'ends' in step) {
        for (const key of open) if (key.startsWith(step.ends)) open.delete(key);
      }
      // After this entry, the side sends nothing more.
      else if ('end' in entry || 'closed' in entry) open.clear();
      if (open.size === 0) return release();
      if (length <= MAX_HELD_LENGTH && held.length <= MAX_HELD_ENTRIES) return;
      release();
      // Cleared, because an agent could begin any number of texts. If a text continues, its next piece adds the text again.
      open.clear();
    },
  };
}

function redactedNotice(entry: RecordedNotice, redactor: Redactor): RecordedNotice {
  const { text, redacted } = redactor.line(JSON.stringify(entry.data));
  return redacted.length === 0 ? entry : { ...entry, data: valueOf(text), redacted };
}

/** Returns the text itself if removing secrets has made the JSON invalid. */
function valueOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function lengthOf(entry: RecordingEntry): number {
  if ('line' in entry) return entry.line.length;
  return 'notice' in entry ? JSON.stringify(entry.data).length : 0;
}
