import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { decodeLines } from '@proto/core/framing';
import { createTranscript } from './transcript.ts';
import { decodeEntry, type TranscriptEntry } from './transcript-entry.ts';

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
