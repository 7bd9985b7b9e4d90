import type { RawData } from 'ws';
import { ANSWER, ASK, checkAnswer } from '../rpc/permission.ts';
import type { SocketPeer } from './socket-peer.ts';

/** The code that most programs write first: a frame for each message. */
export const peer: SocketPeer = {
  serve(socket) {
    socket.on('message', (data: RawData) => {
      const { id } = JSON.parse((data as Buffer).toString()) as { id: number };
      socket.send(JSON.stringify({ id, answer: ANSWER }));
    });
  },
  async connect(socket) {
    const waiting = new Map<number, (answer: unknown) => void>();
    let last = 0;
    socket.on('message', (data: RawData) => {
      const { id, answer } = JSON.parse((data as Buffer).toString()) as { id: number; answer: unknown };
      waiting.get(id)?.(answer);
      waiting.delete(id);
    });
    return {
      async call() {
        const answer = new Promise((resolve) => waiting.set(++last, resolve));
        socket.send(JSON.stringify({ id: last, ask: ASK }));
        checkAnswer(await answer);
      },
      close: () => socket.terminate(),
    };
  },
  openSender: (socket) => (message) => socket.send(JSON.stringify(message)),
  receive(socket, onMessages) {
    socket.on('message', (data: RawData) => {
      JSON.parse((data as Buffer).toString());
      onMessages(1);
    });
  },
};
