import { createWebSocketTransport, RESUMABLE_PROTOCOL } from '@proto/transport-websocket';
import type { WebSocket } from 'ws';
import { connectOver, receiveOver, sendOver, serveOver } from '../rpc/ours.ts';
import type { SocketPeer } from './socket-peer.ts';

/** Our transport, with a frame for each message. */
export const perFrame: SocketPeer = oursWith(false);

/** Our transport, with a frame for each batch. */
export const coalesced: SocketPeer = oursWith(true);

/** Our transport in resumable mode, with numbered and acknowledged messages. */
export const resumable: SocketPeer = { ...perFrame, protocols: [RESUMABLE_PROTOCOL] };

function oursWith(batchFrames: boolean): SocketPeer {
  const over = (socket: WebSocket) => createWebSocketTransport(socket, { batchFrames });
  return {
    serve: (socket) => serveOver(over(socket)),
    connect: async (socket) => connectOver(over(socket)),
    openSender: (socket) => sendOver(over(socket)),
    receive: (socket, onMessages) => receiveOver(over(socket), onMessages),
  };
}
