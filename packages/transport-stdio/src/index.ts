export { nodeTextDecoder } from './node-text-decoder.ts';
export { stdioScheme } from './stdio-scheme.ts';
export { createStdioTransport, type StdioOptions } from './stdio-transport.ts';
