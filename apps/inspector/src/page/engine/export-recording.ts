import { createEntryRedactor, createRedactor } from '@proto/recording';
import { readEntries } from '@proto/recording/timeline';
import { type ByteSource, piecesOf } from './byte-source.ts';

/** A recording without secrets, and the number of entries from which secrets were removed. */
export interface RedactedRecording {
  readonly blob: Blob;
  readonly redactedEntries: number;
}

/** Reports the progress of an export: the number of bytes read. */
export type ExportProgress = (bytes: number) => void;

const FLUSH_LENGTH = 2 ** 20;

/**
 * Writes the present content of a source as a recording without secrets. A secret is recognized by its form or by the name of the member that
 * contains it.
 */
export async function exportRedacted(source: ByteSource, onProgress: ExportProgress): Promise<RedactedRecording> {
  const { length } = source;
  const now: ByteSource = {
    name: source.name,
    length,
    read: (from, to) => source.read(from, to),
    waitFor: async (place) => place < length,
  };
  const parts: Blob[] = [];
  let lines = `${JSON.stringify({ recording: 1, side: 'host', redacted: true })}\n`;
  let redactedEntries = 0;
  const flush = () => {
    // The browser may keep a Blob on disk, but a text only in memory.
    parts.push(new Blob([lines]));
    lines = '';
  };
  const redactor = createEntryRedactor(createRedactor(), (entry) => {
    if ('redacted' in entry) redactedEntries++;
    // A line without a time gets the time 0, because JSON has no NaN.
    lines += `${JSON.stringify({ ...entry, t: Number.isFinite(entry.t) ? entry.t : 0 })}\n`;
    if (lines.length > FLUSH_LENGTH) flush();
  });
  const neverAborted = new AbortController().signal;
  for await (const { entry, offset } of readEntries(piecesOf(now, neverAborted))) {
    redactor.add(entry);
    onProgress(offset);
  }
  // This entry ends a text that was still being streamed when the recording ended.
  redactor.add({ t: 0, closed: 'local' });
  flush();
  return { blob: new Blob(parts, { type: 'application/x-ndjson' }), redactedEntries };
}
