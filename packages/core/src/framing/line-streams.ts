import { encodeLine } from './encode-line.ts';
import { createLineDecoder, type Line, type LineDecoderOptions } from './line-decoder.ts';

/** A web stream from bytes or text to lines. */
export function lineDecoderStream(options?: LineDecoderOptions): TransformStream<Uint8Array | string, Line> {
  const decoder = createLineDecoder(options);
  return new TransformStream<Uint8Array | string, Line>({
    transform(chunk, controller) {
      for (const line of decoder.push(chunk)) controller.enqueue(line);
    },
    flush(controller) {
      for (const line of decoder.end()) controller.enqueue(line);
    },
  });
}

/** A web stream from values to lines of JSON. A value JSON cannot express errors the stream with its `TypeError`. */
export function lineEncoderStream(): TransformStream<unknown, string> {
  return new TransformStream<unknown, string>({
    transform(value, controller) {
      controller.enqueue(encodeLine(value));
    },
  });
}
