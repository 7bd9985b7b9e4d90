import { openSocket } from '#open-socket';
import type { SessionScheme } from '@proto/core/transport';
import { socketAddress } from './socket-address.ts';
import type { WebSocketClientOptions } from './socket-request.ts';
import { createWebSocketClientTransport } from './web-socket-client-transport.ts';

/** How to connect to a `ws:` or `wss:` URI. */
export type WebSocketSchemeOptions = Omit<WebSocketClientOptions, 'url'>;

/**
 * The scheme for `ws:` and `wss:` URIs, which creates a client that reconnects. The address of a session, `wss://HOST/v1/code/sessions/ID`, connects
 * to the socket of this session. Pass this scheme to `connectUri` or `connectSession`. On Node, sockets of the `ws` package are used, and elsewhere the
 * platform's `WebSocket`, unless the option `open` opens them.
 */
export const webSocketScheme: SessionScheme<WebSocketSchemeOptions> = {
  name: 'websocket',
  protocols: ['ws:', 'wss:'],
  sessionUri: socketAddress,
  // An address that is not a URL is refused later, when it is opened, without being quoted in the error.
  connect: (uri, options) =>
    createWebSocketClientTransport({
      ...(openSocket !== undefined && { open: openSocket }),
      ...options,
      url: URL.canParse(uri) ? socketAddress(new URL(uri)) : uri,
    }),
};
