import { parseAddress } from '@proto/core/network';
import { type ClientOptions, WebSocket } from 'ws';
import type { SocketLike, SocketRequest } from '../socket/socket.ts';
import { proxyFor, tunnelThrough } from './proxy.ts';
import { withCorking, withFrames } from '../socket/with-corking.ts';

/** The longest frame that is accepted: 128 MiB. A longer frame ends the link; a line above `maxLineBytes` is only reported as malformed. */
export const DEFAULT_MAX_FRAME_BYTES = 128 * 1024 * 1024;

/**
 * Opens a socket with headers, pings and the reason of a refusal, through the proxy of the environment, if any.
 * @throws {TransportError} `connect-failed` if the address is not a URL, or has a user or a password
 */
export function openSocket({ url, headers, protocols }: SocketRequest): SocketLike {
  const address = parseAddress(url);
  const proxy = proxyFor(address, process.env);
  const tunnel = proxy && tunnelThrough(proxy, address.protocol === 'wss:');
  const opening = new WebSocket(url, [...protocols], {
    headers: { ...headers },
    maxPayload: DEFAULT_MAX_FRAME_BYTES,
    // Compression holds up to a megabyte for each link, and costs more than it saves on small messages.
    perMessageDeflate: false,
    // `http.request` takes this form as well; its types know only the form that returns the connection at once.
    ...(tunnel !== undefined && {
      createConnection: tunnel as unknown as NonNullable<ClientOptions['createConnection']>,
    }),
  });
  const socket = withFrames(opening);
  return socket.once('upgrade', ({ socket: connection }) => withCorking(socket, connection));
}
