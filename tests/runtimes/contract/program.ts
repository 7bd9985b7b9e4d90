/** The program that runs the transport contract with what its platform has. A server in Node gives it the other side of the network. */
import { testTransport } from '@proto/testkit/vitest';
import type { OpenSocket, SocketLike } from '@proto/transport-websocket';
import { eventStreamTransports, type NetworkedSession } from '../../contract/event-stream-transports.ts';
import { type SocketPlatform, type SocketServer, webSocketTransports } from '../../contract/web-socket-transports.ts';
import { type Outcome, runAll } from './test-runner.ts';

const CLOSING = 2;

/** Runs the contract for each transport, with the server at this address. */
export async function runContract(server: string): Promise<readonly Outcome[]> {
  const socketPlatform: SocketPlatform = {
    name: 'of the platform',
    openSocket,
    serve: (accept, protocols) => serveSockets(server, accept, protocols),
    canPause: false,
    releasedState: CLOSING,
  };
  const startSession = () => startRemoteSession(server);
  const fetchPlatform = {
    name: 'with the fetch of the platform',
    fetch: globalThis.fetch.bind(globalThis),
    startSession,
  };
  for (const transport of webSocketTransports(socketPlatform)) testTransport(transport);
  for (const transport of eventStreamTransports(fetchPlatform)) testTransport(transport);
  return runAll();
}

const openSocket: OpenSocket = ({ url, protocols }) => new WebSocket(url, [...protocols]);

async function post(address: string, body: unknown): Promise<unknown> {
  const answer = await fetch(address, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`the server answered ${address} with ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Opens one socket of the server end after the other. The first frame of each says that a client has connected. */
async function serveSockets(server: string, accept: (socket: SocketLike) => void, protocols: readonly string[]) {
  const { id } = (await post(`${server}/relays`, {})) as { id: string };
  const address = `${server.replace('http:', 'ws:')}/relays/${id}`;
  let isClosed = false;
  let waiting: SocketLike;
  const acceptNext = () => {
    if (isClosed) return;
    const socket = openSocket({ url: `${address}/server`, headers: {}, protocols });
    waiting = socket;
    let isConnected = false;
    socket.addEventListener('message', () => {
      if (!isConnected) accept(socket);
      isConnected = true;
    });
    socket.addEventListener('close', acceptNext);
  };
  acceptNext();
  const call = async (name: string, ...args: readonly unknown[]) => {
    await post(`${server}/calls`, { id, name, args });
  };
  const functions: SocketServer = {
    url: `${address}/client`,
    answer: (how) => call('answer', how),
    cut: () => call('cut'),
    silence: () => call('silence'),
    inject: (text) => call('inject', text),
    async close() {
      isClosed = true;
      waiting.close();
      await call('close');
    },
  };
  return functions;
}

async function startRemoteSession(server: string): Promise<NetworkedSession> {
  const { id, ...session } = (await post(`${server}/sessions`, {})) as NetworkedSession & { readonly id: string };
  const call = async (name: string, ...args: readonly unknown[]) => {
    await post(`${server}/calls`, { id, name, args });
  };
  return {
    ...session,
    reachable: (yes) => call('reachable', yes),
    cut: () => call('cut'),
    silence: () => call('silence'),
    close: () => call('close'),
  };
}
