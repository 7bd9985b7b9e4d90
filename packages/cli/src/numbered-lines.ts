import { createLineDecoder, type Line, type LineDecoderOptions } from '@proto/core/framing';

/** A line with its number in its file. */
export interface NumberedLine {
  /** Counted from 1, blank lines included, as editors do. */
  readonly number: number;
  readonly line: Line;
}

const LF = 10;

/** The lines of a source that are not blank. */
export async function* numberedLines(
  source: AsyncIterable<Uint8Array>,
  options?: LineDecoderOptions,
): AsyncGenerator<NumberedLine, void, undefined> {
  const decoder = createLineDecoder(options);
  let number = 1;
  for await (const chunk of source) {
    // Line by line, because the decoder leaves blank ones out.
    for (let at = 0, end: number; at < chunk.length; at = end) {
      const lf = chunk.indexOf(LF, at);
      end = lf === -1 ? chunk.length : lf + 1;
      for (const line of decoder.push(chunk.subarray(at, end))) yield { number, line };
      if (lf !== -1) number++;
    }
  }
  for (const line of decoder.end()) yield { number, line };
}
