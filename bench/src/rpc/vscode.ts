import type { Readable, Writable } from 'node:stream';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { ANSWER, ASK, checkAnswer } from './permission.ts';
import type { StreamPeer } from './stream-peer.ts';

/** vscode-jsonrpc, with its own framing. */
export const peer: StreamPeer = {
  serve(input, output) {
    const connection = open(input, output);
    connection.onRequest('ask', () => ANSWER);
    connection.listen();
  },
  async connect(input, output) {
    const connection = open(input, output);
    connection.listen();
    return {
      call: async () => checkAnswer(await connection.sendRequest('ask', ASK)),
      close: () => connection.dispose(),
    };
  },
  async openSender(input, output) {
    const connection = open(input, output);
    connection.listen();
    return (message) => connection.sendNotification('message', message);
  },
  receive(input, output, onMessages) {
    const connection = open(input, output);
    connection.onNotification('message', () => onMessages(1));
    connection.listen();
  },
};

function open(input: Readable, output: Writable) {
  return createMessageConnection(new StreamMessageReader(input), new StreamMessageWriter(output));
}
