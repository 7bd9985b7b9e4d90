import { createLineDecoder, type Line, type LineDecoderOptions } from './line-decoder.ts';

/**
 * The lines of a source one by one, the unterminated last one included. Leaving the loop closes the source. An error of the
 * source is thrown after the lines before it; what it cut off is not delivered.
 */
export async function* decodeLines(
  source: AsyncIterable<Uint8Array | string>,
  options?: LineDecoderOptions,
): AsyncGenerator<Line, void, undefined> {
  const decoder = createLineDecoder(options);
  for await (const chunk of source) yield* decoder.push(chunk);
  yield* decoder.end();
}
