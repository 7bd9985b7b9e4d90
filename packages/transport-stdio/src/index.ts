export { nodeTextDecoder } from './node-text-decoder.ts';
export { createSlicedWriter, DEFAULT_SLICE_LENGTH, type TextWriter } from './sliced-writer.ts';
export { stdioScheme } from './stdio-scheme.ts';
export { createStdioTransport, type StdioOptions } from './stdio-transport.ts';
