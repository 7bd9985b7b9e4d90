import { parseAddress } from '@proto/core/network';
import { type ClientOptions, WebSocket } from 'ws';
import type { SocketLike, SocketRequest } from '../socket/socket.ts';
import { proxyFor, tunnelThrough } from './proxy.ts';
import { withCorking, withFrames } from '../socket/with-corking.ts';

/**
 * The maximum length of a received frame: 128 MiB. A longer frame ends the link, whereas a line longer than `maxLineBytes` is only reported as
 * malformed.
 */
export const DEFAULT_MAX_FRAME_BYTES = 128 * 1024 * 1024;

/**
 * Opens a socket that supports headers and pings, and reports the reason for a refusal. Connects through the proxy that is set in environment
 * variables, if there is one.
 * @throws {TransportError} `connect-failed` if the address is not a URL, or contains a user or a password
 */
export function openSocket({ url, headers, protocols }: SocketRequest): SocketLike {
  const address = parseAddress(url);
  const proxy = proxyFor(address, process.env);
  const tunnel = proxy && tunnelThrough(proxy, address.protocol === 'wss:');
  const opening = new WebSocket(url, [...protocols], {
    headers: { ...headers },
    maxPayload: DEFAULT_MAX_FRAME_BYTES,
    // Compression uses up to a megabyte of memory for each link, and costs more than it saves on small messages.
    perMessageDeflate: false,
    // `http.request` accepts this form as well, but its types declare only the form that returns the connection at once.
    ...(tunnel !== undefined && {
      createConnection: tunnel as unknown as NonNullable<ClientOptions['createConnection']>,
    }),
  });
  const socket = withFrames(opening);
  return socket.once('upgrade', ({ socket: connection }) => withCorking(socket, connection));
}
