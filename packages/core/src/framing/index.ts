export { cutText } from './cut-text.ts';
export { encodeLine, type MalformedReason, type ParsedLine, parseLine, type WireMessage } from './json-line.ts';
export {
  createLineDecoder,
  decodeLines,
  DEFAULT_MAX_LINE_BYTES,
  type Line,
  type LineDecoder,
  type LineDecoderOptions,
  type TooLargeLine,
} from './line-decoder.ts';
export { JsonDepthError, parseJson } from './parse-json.ts';
export type * from './platform-types.ts';
