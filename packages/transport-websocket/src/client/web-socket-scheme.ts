import type { SessionScheme } from '@proto/core/transport';
import type { WebSocketClientOptions } from './socket-request.ts';
import { createWebSocketClientTransport } from './web-socket-client-transport.ts';

/** How to connect to a `ws:` or `wss:` URI. */
export type WebSocketSchemeOptions = Omit<WebSocketClientOptions, 'url'>;

/** Connects `ws:` and `wss:` URIs with a client that reconnects. For `connectUri` and `connectSession`. */
export const webSocketScheme: SessionScheme<WebSocketSchemeOptions> = {
  name: 'websocket',
  protocols: ['ws:', 'wss:'],
  sessionUri({ protocol, host, pathname, search }) {
    const id = pathname.slice(pathname.lastIndexOf('/') + 1);
    const base = pathname.replace(/\/v1\/code\/sessions\/[^/]*$/, '');
    return `${protocol === 'http:' ? 'ws' : 'wss'}://${host}${base}/v1/sessions/ws/${id}/subscribe${search}`;
  },
  connect: (url, options) => createWebSocketClientTransport({ ...options, url }),
};
