import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createSession } from '@proto/core';
import { createWebSocketTransport, withCorking } from '@proto/transport-websocket';
import { type WebSocket, WebSocketServer } from 'ws';
import { startProcess } from '../server-child.ts';

/** The cost of one idle WebSocket for its server. */
export interface IdleSocket {
  readonly heapBytes: number;
  readonly residentBytes: number;
  /** CPU time of one beat: a ping, and the answer to it. */
  readonly beatMicros: number;
}

// Compile the code and fill the pools first, because their memory does not belong to a socket.
const WARM_UP = 1000;
const BEAT_MS = 500;
const BEATS = 6;

/**
 * Accepts idle WebSockets from another process, and pings each of them twice a second. Arguments: `bare ws | ours`, how many, and what each client
 * has sent. Needs `--expose-gc`.
 */
export async function run([which = '', count = '', sent = '']: readonly string[]): Promise<IdleSocket> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  if (which === 'ours') acceptSessions(server);
  else acceptBare(server);
  const { port } = server.address() as AddressInfo;
  const clients = async (sockets: number) => {
    const { child } = await startProcess('idle-socket-clients', String(port), String(sockets), sent);
    return async () => {
      child.kill();
      await once(child, 'exit');
    };
  };
  const leave = await clients(WARM_UP);
  await wait(2 * BEAT_MS);
  await leave();
  const before = await settled();
  await clients(Number(count));
  const after = await settled();
  const start = process.cpuUsage();
  await wait(BEATS * BEAT_MS);
  const { user, system } = process.cpuUsage(start);
  // The clients end with this process.
  process.nextTick(() => process.exit());
  return {
    heapBytes: (after.heapUsed + after.external - before.heapUsed - before.external) / Number(count),
    residentBytes: (after.rss - before.rss) / Number(count),
    beatMicros: (user + system) / BEATS / Number(count),
  };
}

function acceptSessions(server: WebSocketServer): void {
  server.on('connection', (socket, { socket: connection }) => {
    // A link counts as dead if it was silent for the time of three heartbeats.
    createSession(createWebSocketTransport(withCorking(socket, connection), { silenceMs: 3 * BEAT_MS }));
  });
}

/** The method that the manual of `ws` recommends: one timer for all sockets, which ends the sockets that have not answered. */
function acceptBare(server: WebSocketServer): void {
  const answered = new WeakSet<WebSocket>();
  server.on('connection', (socket) => {
    answered.add(socket);
    socket.on('error', () => {});
    socket.on('pong', () => void answered.add(socket));
    socket.on('message', (data) => void JSON.parse((data as Buffer).toString()));
  });
  setInterval(() => {
    for (const socket of server.clients) {
      if (!answered.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }, BEAT_MS);
}

async function settled() {
  const { gc } = globalThis as { gc?: () => void };
  if (gc === undefined) throw new Error('run with --expose-gc');
  for (let turn = 0; turn < 6; turn++) {
    gc();
    await wait(50);
  }
  return process.memoryUsage();
}
