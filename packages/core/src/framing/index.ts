export { encodeLine, type MalformedReason, type ParsedLine, parseLine, type WireMessage } from './json-line.ts';
export {
  createLineDecoder,
  DEFAULT_MAX_LINE_BYTES,
  type Line,
  type LineDecoder,
  type LineDecoderOptions,
  type TooLargeLine,
} from './line-decoder.ts';
export { decodeLines, lineDecoderStream, lineEncoderStream } from './line-streams.ts';
export type * from './platform-types.ts';
