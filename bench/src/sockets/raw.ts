import type { RawData, WebSocket } from 'ws';
import { REQUEST_LINE, RESPONSE_LINE } from '../rpc/permission.ts';
import type { SocketPeer } from './socket-peer.ts';

/** The limit: the same bytes, with a frame for each request and a frame for 50 messages, only counted. */
export const peer: SocketPeer = {
  serve: (socket) => socket.on('message', () => socket.send(RESPONSE_LINE)),
  async connect(socket) {
    const waiting: (() => void)[] = [];
    let head = 0;
    socket.on('message', () => {
      waiting[head++]?.();
      if (head === waiting.length) waiting.length = head = 0;
    });
    return {
      call: () =>
        new Promise((resolve) => {
          waiting.push(resolve);
          socket.send(REQUEST_LINE);
        }),
      close: () => socket.terminate(),
    };
  },
  openSender(socket) {
    let line = '';
    let unsent = 0;
    const flush = () => {
      socket.send(line.repeat(unsent));
      unsent = 0;
    };
    return (message) => {
      if (line === '') line = `${JSON.stringify(message)}\n`;
      if (unsent++ === 0) queueMicrotask(flush);
    };
  },
  receive(socket: WebSocket, onMessages) {
    socket.on('message', (data: RawData) => {
      const frame = data as Buffer;
      let lines = 0;
      for (let at = frame.indexOf(10); at !== -1; at = frame.indexOf(10, at + 1)) lines++;
      onMessages(lines);
    });
  },
};
