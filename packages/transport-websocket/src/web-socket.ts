import { refuseCredentials, withoutSecrets } from '@proto/core/internal';
import type { SocketLike, SocketRequest } from './socket.ts';

type WebSocketConstructor = new (url: string, protocols: string[]) => SocketLike;

/** The `WebSocket` of the platform, which sets no headers. */
export function openWebSocket({ url, headers, protocols }: SocketRequest): SocketLike {
  const { WebSocket } = globalThis as { WebSocket?: WebSocketConstructor };
  // Without its credential an attempt would only be refused.
  if (Object.keys(headers).length > 0) {
    throw new TypeError(
      'the WebSocket of this platform sends no headers: pass `open` of @proto/transport-websocket/node',
    );
  }
  if (WebSocket === undefined) throw new TypeError('there is no WebSocket here: pass `open`');
  refuseCredentials(url);
  try {
    return new WebSocket(url, [...protocols]);
  } catch (error) {
    // It quotes the address, or the protocol that was offered.
    throw withoutSecrets(error, { url, others: protocols });
  }
}
