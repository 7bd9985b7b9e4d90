export { nodeTextDecoder } from './node-text-decoder.ts';
export { DEFAULT_SLICE_LENGTH, slicedOutput } from './sliced-output.ts';
export { stdioScheme } from './stdio-scheme.ts';
export { createStdioTransport, type StdioOptions } from './stdio-transport.ts';
