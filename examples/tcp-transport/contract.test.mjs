// Runs every case of the transport contract on the two ends of a session over TCP, with a relay between them that can be made to fail.
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { resetSocket } from '@proto/testkit';
import { testTransport } from '@proto/testkit/vitest';
import { createTcpClientTransport, createTcpServerTransport, refuseClient } from './tcp-transport.mjs';

const SILENCE_MS = 600;
const LIMITS = {
  maxLineBytes: 4 * 1024 * 1024,
  maxIncomingBytes: 64 * 1024,
  maxBufferedBytes: 64 * 1024,
  maxReplayBytes: 1024 * 1024,
};

/** Every socket that was connected, by the transport or by the relay. */
const opened = [];
subscribe('net.client.socket', ({ socket }) => opened.push(socket));

/** Listens on a free port of this machine. */
async function listen(onSocket) {
  const server = createServer(onSocket).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: server.address().port };
}

/** Passes each connection on to a port. */
async function startRelay(target) {
  const sockets = new Set();
  const relay = { isReachable: true, sockets };
  const { server, port } = await listen((near) => {
    near.on('error', () => {});
    if (!relay.isReachable) return resetSocket(near);
    const far = Object.assign(connect(target, '127.0.0.1'), { isOfRelay: true });
    far.on('error', () => {});
    near.pipe(far).pipe(near);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ]) {
      sockets.add(socket);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  return Object.assign(relay, { server, url: `tcp://127.0.0.1:${port}` });
}

async function open() {
  const remote = createTcpServerTransport({ ...LIMITS, silenceMs: SILENCE_MS });
  const accepted = [];
  const pair = { remote, accepted, asked: 0, isRefusing: false, hasForgotten: false };
  const { server, port } = await listen((socket) => {
    if (pair.isRefusing) return refuseClient(socket);
    accepted.push(socket);
    if (pair.hasForgotten) renameStream(socket);
    remote.accept(socket);
  });
  const relay = await startRelay(port);
  const url = () => {
    pair.asked++;
    return relay.url;
  };
  const local = createTcpClientTransport({
    ...LIMITS,
    url,
    baseMs: 5,
    capMs: 20,
    silenceMs: SILENCE_MS,
    maxClosingMs: 1000,
  });
  const dispose = () => {
    for (const socket of [...relay.sockets, ...accepted]) socket.destroy();
    server.close();
    relay.server.close();
  };
  return Object.assign(pair, { local, relay, dispose });
}

/** Makes the server greet with the name of another stream, like a server that has lost the session. */
function renameStream(socket) {
  const write = socket.write.bind(socket);
  socket.write = (text) => {
    socket.write = write;
    return write(JSON.stringify({ ...JSON.parse(text), stream: 'another' }) + '\n');
  };
}

testTransport({
  name: 'TCP',
  open,
  halfClose: true,
  backPressure: true,
  givesUpWithinMs: 3000,
  cut: ({ relay }) => relay.sockets.forEach(resetSocket),
  inject: ({ accepted }) => accepted.at(-1).write(`${'x'.repeat(LIMITS.maxLineBytes + 1)}\n`),
  notify: ({ accepted }) => accepted.at(-1).write('{"event":"said","data":{"so":1}}\n'),
  connecting: () => createTcpClientTransport({ ...LIMITS, url: () => new Promise(() => {}) }),
  released: () => opened.length > 0 && opened.every(({ closed, isOfRelay }) => closed || isOfRelay),
  reconnect: {
    reachable({ relay }, yes) {
      relay.isReachable = yes;
    },
    refuse(pair) {
      pair.isRefusing = true;
    },
    forget(pair) {
      pair.hasForgotten = true;
    },
    asked: ({ asked }) => asked,
  },
  silence: {
    start: ({ relay }) => relay.sockets.forEach((socket) => socket.unpipe().pause()),
    noticedWithinMs: 3 * SILENCE_MS,
  },
});
