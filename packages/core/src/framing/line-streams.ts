import { encodeLine } from './json-line.ts';
import { createLineDecoder, type Line, type LineDecoderOptions } from './line-decoder.ts';

/**
 * Gives the lines of a source one by one, also a last line without a line end. Leaving the loop closes the source. An error of the
 * source is thrown after the lines before it; the line that it cut off is not delivered.
 */
export async function* decodeLines(
  source: AsyncIterable<Uint8Array | string>,
  options?: LineDecoderOptions,
): AsyncGenerator<Line, void, undefined> {
  const decoder = createLineDecoder(options);
  for await (const chunk of source) yield* decoder.push(chunk);
  yield* decoder.end();
}

/** Creates a web stream that turns bytes or text into lines. */
export function lineDecoderStream(options?: LineDecoderOptions): TransformStream<Uint8Array | string, Line> {
  const decoder = createLineDecoder(options);
  const enqueue = (lines: readonly Line[], controller: TransformStreamDefaultController<Line>): void => {
    for (const line of lines) controller.enqueue(line);
  };
  return new TransformStream<Uint8Array | string, Line>({
    transform: (chunk, controller) => enqueue(decoder.push(chunk), controller),
    flush: (controller) => enqueue(decoder.end(), controller),
  });
}

/** Creates a web stream that turns values into lines of JSON. A value that JSON cannot express fails the stream with a `TypeError`. */
export function lineEncoderStream(): TransformStream<unknown, string> {
  return new TransformStream<unknown, string>({
    transform: (value, controller) => controller.enqueue(encodeLine(value)),
  });
}
