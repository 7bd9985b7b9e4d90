import type { TransportScheme } from '@proto/core/transport';
import { createReconnectingTransport, type ReconnectingOptions } from './reconnecting-transport.ts';

/** How to connect to what a `ws:` or `wss:` URI names. */
export type WebSocketSchemeOptions = Omit<ReconnectingOptions, 'url'>;

/** `ws:` and `wss:`: a client that reconnects. For `connectTransport`. */
export const webSocketScheme: TransportScheme<WebSocketSchemeOptions> = {
  protocols: ['ws:', 'wss:'],
  connect: (url, options) => createReconnectingTransport({ ...options, url }),
};
