import { createLineDecoder, type Line, type LineDecoderOptions } from '@proto/core/framing';

/** A line with its place in its file. */
export interface NumberedLine {
  /** Counted from 1. Blank lines count, as in editors. */
  readonly number: number;
  /** The position of the first byte of the line in the file. */
  readonly offset: number;
  /** The length of the line without its end. */
  readonly bytes: number;
  readonly line: Line;
}

const LF = 10;

/** Gives the lines of a source that are not blank. */
export async function* numberedLines(
  source: AsyncIterable<Uint8Array>,
  options: LineDecoderOptions = {},
): AsyncGenerator<NumberedLine, void, undefined> {
  const decoder = createLineDecoder(options);
  let number = 1;
  /** Where the present line begins, and where the present chunk begins. */
  let offset = 0;
  let position = 0;
  for await (const chunk of source) {
    // The decoder leaves out blank lines, so it gets one line at a time, which the loop counts.
    for (let at = 0, end: number; at < chunk.length; at = end) {
      const lf = chunk.indexOf(LF, at);
      end = lf === -1 ? chunk.length : lf + 1;
      const bytes = position + (lf === -1 ? chunk.length : lf) - offset;
      for (const line of decoder.push(chunk.subarray(at, end))) yield { number, offset, bytes, line };
      if (lf === -1) continue;
      number++;
      offset = position + end;
    }
    position += chunk.length;
  }
  for (const line of decoder.end()) yield { number, offset, bytes: position - offset, line };
}
