export type * from './platform-types.ts';
export { decodeLines } from './decode-lines.ts';
export { encodeLine } from './encode-line.ts';
export {
  createLineDecoder,
  DEFAULT_MAX_LINE_BYTES,
  type Line,
  type LineDecoder,
  type LineDecoderOptions,
  type TooLargeLine,
} from './line-decoder.ts';
export { lineDecoderStream, lineEncoderStream } from './line-streams.ts';
export { type MalformedReason, type ParsedLine, parseLine, type WireMessage } from './parse-line.ts';
