import { Client, type Transport } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { ANSWER, ASK, checkAnswer } from './permission.ts';
import type { RpcClient, StreamPeer } from './stream-peer.ts';

const INFO = { name: 'bench', version: '0.0.0' };
const CALL = { method: 'tools/call', params: { name: 'ask', arguments: ASK } } as const;

/** The second library of the Model Context Protocol. */
export const peer: StreamPeer = {
  serve: (input, output) => serveMcp(new StdioServerTransport(input, output)),
  connect: (input, output) => connectMcp(new StdioServerTransport(input, output)),
  async openSender(input, output) {
    const server = new Server(INFO, { capabilities: { logging: {} } });
    await server.connect(new StdioServerTransport(input, output));
    return (data) => server.notification({ method: 'notifications/message', params: { level: 'info', data } });
  },
  async receive(input, output, onMessages) {
    const client = new Client(INFO);
    client.setNotificationHandler('notifications/message', () => onMessages(1));
    await client.connect(new StdioServerTransport(input, output));
  },
};

export async function serveMcp(transport: Transport): Promise<void> {
  const server = new Server(INFO, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/call', () => ({ content: [], structuredContent: ANSWER }));
  await server.connect(transport);
}

export async function connectMcp(transport: Transport): Promise<RpcClient> {
  const client = new Client(INFO);
  await client.connect(transport);
  return {
    call: async () => checkAnswer((await client.request(CALL)).structuredContent),
    close: () => client.close(),
  };
}
