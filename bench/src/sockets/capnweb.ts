import { WebSocket } from 'ws';
import { ANSWER, ASK, checkAnswer } from '../rpc/permission.ts';
import type { SocketPeer } from './socket-peer.ts';

type Dom = typeof globalThis.WebSocket.prototype;

// The package reads constants of the class `WebSocket`, which Node 20 does not have.
Object.assign(globalThis, { WebSocket });
const { newWebSocketRpcSession, RpcTarget } = await import('capnweb');

class Agent extends RpcTarget {
  ask(_: typeof ASK) {
    return ANSWER;
  }
}

/** Cap'n Web, whose sessions run over a WebSocket. */
export const peer: Pick<SocketPeer, 'protocols' | 'deflate' | 'serve' | 'connect'> = {
  serve: (socket) => newWebSocketRpcSession(socket as unknown as Dom, new Agent()),
  async connect(socket) {
    const stub = newWebSocketRpcSession<Agent>(socket as unknown as Dom);
    return { call: async () => checkAnswer(await stub.ask(ASK)), close: () => socket.terminate() };
  },
};
