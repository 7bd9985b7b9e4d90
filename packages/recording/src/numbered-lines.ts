import { createLineDecoder, type Line, type LineDecoderOptions } from '@proto/core/framing';

export interface NumberedLine {
  /** The line number, counted from 1. Blank lines are counted, as in editors. */
  readonly number: number;
  /** The position of the line's first byte in the file. */
  readonly offset: number;
  /** The length of the line in bytes, without its line end. */
  readonly bytes: number;
  readonly line: Line;
}

const LF = 10;
const NUL = 0;

/**
 * Skips blank lines. NUL characters also end a line, but do not increase the line number. A crash can leave blocks of NUL characters before, between
 * and after the records of a file.
 */
export async function* numberedLines(
  source: AsyncIterable<Uint8Array>,
  options: LineDecoderOptions = {},
): AsyncGenerator<NumberedLine, void, undefined> {
  const decoder = createLineDecoder(options);
  let number = 1;
  /** The positions at which the current line and the current chunk begin. */
  let offset = 0;
  let position = 0;
  for await (const chunk of source) {
    let nul = placeOf(NUL, chunk, 0);
    // The decoder leaves out blank lines. So that the loop can count all lines, the decoder is given one line at a time.
    for (let at = 0, end: number; at < chunk.length; at = end) {
      const lf = placeOf(LF, chunk, at);
      const stop = Math.min(lf, nul, chunk.length);
      end = Math.min(stop + 1, chunk.length);
      const bytes = position + stop - offset;
      const isAtNul = stop === nul;
      const lines = decoder.push(chunk.subarray(at, isAtNul ? stop : end));
      for (const line of isAtNul ? decoder.push('\n') : lines) yield { number, offset, bytes, line };
      if (stop === chunk.length) continue;
      if (isAtNul) {
        while (chunk[end] === NUL) end++;
        nul = placeOf(NUL, chunk, end);
      } else number++;
      offset = position + end;
    }
    position += chunk.length;
  }
  for (const line of decoder.end()) yield { number, offset, bytes: position - offset, line };
}

function placeOf(byte: number, chunk: Uint8Array, from: number): number {
  const place = chunk.indexOf(byte, from);
  return place === -1 ? Infinity : place;
}
