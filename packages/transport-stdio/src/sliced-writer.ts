import type { Writable } from 'node:stream';

/** How much one slice holds by default, in UTF-16 code units. */
export const DEFAULT_SLICE_LENGTH = 2000;

/** Writes a text to a stream; false when the stream is above its high-water mark. `done` follows the whole text. */
export type TextWriter = (text: string, done?: (error?: Error | null) => void) => boolean;

/**
 * Makes a writer for consumers that choke on long writes, such as some terminals: each text goes out in slices of at most
 * `maxLength`, in order and with nothing between them. A slice does not end within a surrogate pair, since each one is encoded
 * by itself.
 */
export function createSlicedWriter(stream: Writable, maxLength: number = DEFAULT_SLICE_LENGTH): TextWriter {
  if (!(maxLength >= 2)) throw new RangeError(`a slice holds at least 2 code units, not ${maxLength}`);
  return (text, done = () => {}) => {
    let start = 0;
    for (let end = endOf(text, start, maxLength); end < text.length; end = endOf(text, start, maxLength)) {
      stream.write(text.slice(start, end));
      start = end;
    }
    return stream.write(text.slice(start), done);
  };
}

function endOf(text: string, start: number, maxLength: number): number {
  const end = start + maxLength;
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
