export { decodeLines } from './decode-lines.ts';
export { encodeLine } from './encode-line.ts';
export { createLineDecoder, DEFAULT_MAX_LINE_BYTES } from './line-decoder.ts';
export type { Line, LineDecoder, LineDecoderOptions } from './line-decoder.ts';
export { lineDecoderStream, lineEncoderStream } from './line-streams.ts';
export { parseLine } from './parse-line.ts';
export type { MalformedReason, ParsedLine, WireMessage } from './parse-line.ts';
export type { TooLargeLine } from './too-large-line.ts';
