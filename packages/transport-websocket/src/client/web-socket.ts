import { openSocket } from '#open-socket';
import { parseAddress } from '@proto/core/network';
import type { ReplayableTransport, ResumableTransport } from '@proto/core/transport';
import { socketAddress } from './socket-address.ts';
import type { WebSocketClientOptions } from './socket-request.ts';
import { createWebSocketClientTransport } from './web-socket-client-transport.ts';

/** How to connect to a session over WebSockets. */
export interface WebSocketSessionOptions extends Omit<WebSocketClientOptions, 'url' | 'credential'> {
  /** The token, or a function that is called before each attempt and once more after a refusal. Default: no token is sent. */
  readonly token?: WebSocketClientOptions['credential'];
}

/**
 * Connects to a session over WebSockets, and reconnects after a cut without losing or repeating messages. On Node, the client uses sockets of the
 * `ws` package, sends the token in a header, and uses the proxies set in environment variables. On other platforms, the client uses the platform's
 * `WebSocket`, and sends the token in the first frame.
 *
 * @example
 * ```ts
 * import { query } from '@proto/host';
 * import { webSocket } from '@proto/transport-websocket';
 *
 * const url = 'wss://agents.example/v1/code/sessions/cse_1';
 * const session = query({ prompt: 'Run the tests', transport: webSocket(url, { token: 'the-token-of-alice' }) });
 * ```
 *
 * @param url The address of a session (`https://HOST/v1/code/sessions/ID`, or the same address with `wss:`), or the address of any WebSocket that
 * speaks the protocol.
 * @throws {TransportError} `connect-failed` for an address that is not a URL, or contains a user or a password
 */
export function webSocket(
  url: string | URL,
  { token, ...options }: WebSocketSessionOptions = {},
): ResumableTransport & ReplayableTransport {
  return createWebSocketClientTransport({
    ...(openSocket !== undefined && { open: openSocket }),
    ...options,
    ...(token !== undefined && { credential: token }),
    url: socketAddress(parseAddress(String(url))),
  });
}
