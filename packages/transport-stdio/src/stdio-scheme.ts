import type { TransportScheme } from '@proto/core/transport';
import { createStdioTransport, type StdioOptions } from './stdio-transport.ts';

/** `stdio:`, and `-`: the two streams of this process. For `connectTransport`. */
export const stdioScheme: TransportScheme<StdioOptions> = {
  protocols: ['stdio:'],
  connect: (_uri, options) => createStdioTransport(options),
};
