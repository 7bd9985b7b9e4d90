import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { RESUMABLE_PROTOCOL, withCorking } from '@proto/transport-websocket';
import { WebSocketServer } from 'ws';
import { sendOnRequest } from '../send-on-request.ts';
import { type SocketPeerName, type SocketRpcPeerName, socketPeers, socketRpcPeers } from '../sockets/socket-peers.ts';

/** Serves WebSockets with one of the peers: `rpc` answers requests, `send` sends messages when its parent asks over IPC. Reports the port to its parent. */
export async function run([task, name]: readonly string[]): Promise<void> {
  const deflate = name?.endsWith('deflate') === true;
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    perMessageDeflate: deflate && { threshold: 0 },
    handleProtocols: (offered) => offered.has(RESUMABLE_PROTOCOL) && RESUMABLE_PROTOCOL,
  });
  const listening = once(server, 'listening');
  if (task === 'rpc') {
    const peer = await socketRpcPeers[name as SocketRpcPeerName]();
    server.on('connection', (socket, request) => void peer.serve(withCorking(socket, request.socket)));
  } else {
    const peer = await socketPeers[name as SocketPeerName]();
    server.on('connection', (socket, request) => {
      sendOnRequest(peer.openSender(withCorking(socket, request.socket)));
    });
  }
  process.on('disconnect', () => process.exit());
  await listening;
  process.send?.((server.address() as AddressInfo).port);
}
