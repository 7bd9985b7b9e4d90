/** Runs the transport contract for WebSockets with the sockets of the package `ws`. */
import { testTransport } from '@proto/testkit/vitest';
import type { SocketLike } from '@proto/transport-websocket';
import { openSocket } from '@proto/transport-websocket/node';
import type { WebSocket } from 'ws';
import { loopback } from './loopback.test-support.ts';
import { type SocketServer, webSocketTransports } from './web-socket-transports.ts';

const STATUS = { unreachable: 503, refused: 403, accepted: undefined };
const CLOSED = 3;

async function serve(accept: (socket: SocketLike) => void): Promise<SocketServer> {
  let last: WebSocket | undefined;
  const server = await loopback((socket) => accept((last = socket)));
  return { ...server, answer: (how) => server.refuse(STATUS[how]), inject: (text) => last?.send(text) };
}

const platform = { name: 'of ws', openSocket, serve, canPause: true, releasedState: CLOSED };
for (const transport of webSocketTransports(platform)) testTransport(transport);
