import { Readable, Writable } from 'node:stream';
import { agent, client, ndJsonStream, type Stream } from '@agentclientprotocol/sdk';
import { ANSWER, ASK, checkAnswer } from './permission.ts';
import type { RpcClient, StreamPeer } from './stream-peer.ts';

const untouched = (params: unknown): unknown => params;

/** The library of the Agent Client Protocol, with methods of our own. */
export const peer: StreamPeer = {
  serve: (input, output) => serveAcp(overStreams(input, output)),
  connect: async (input, output) => connectAcp(overStreams(input, output)),
  async openSender(input, output) {
    const connection = agent({ name: 'bench' }).connect(overStreams(input, output));
    return (message) => connection.client.notify('_bench/message', message);
  },
  receive(input, output, onMessages) {
    client({ name: 'bench' })
      .onNotification('_bench/message', untouched, () => onMessages(1))
      .connect(overStreams(input, output));
  },
};

export function serveAcp(stream: Stream): void {
  agent({ name: 'bench' })
    .onRequest('_bench/ask', untouched, () => ANSWER)
    .connect(stream);
}

export function connectAcp(stream: Stream): RpcClient {
  const connection = client({ name: 'bench' }).connect(stream);
  return {
    call: async () => checkAnswer(await connection.agent.request('_bench/ask', ASK)),
    close: () => connection.close(),
  };
}

function overStreams(input: Readable, output: Writable): Stream {
  return ndJsonStream(Writable.toWeb(output), Readable.toWeb(input) as ReadableStream<Uint8Array>);
}
