import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  CallToolResultSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { ANSWER, ASK, checkAnswer } from './permission.ts';
import type { RpcClient, StreamPeer } from './stream-peer.ts';

const INFO = { name: 'bench', version: '0.0.0' };
const CALL = { method: 'tools/call', params: { name: 'ask', arguments: ASK } } as const;

/** The first library of the Model Context Protocol: the request is a tool call, the notification a log message. */
export const peer: StreamPeer = {
  serve: (input, output) => serveMcp(new StdioServerTransport(input, output)),
  // The client transport of the library starts a process itself. The server transport reads and writes in the same way.
  connect: (input, output) => connectMcp(new StdioServerTransport(input, output)),
  async openSender(input, output) {
    const server = new Server(INFO, { capabilities: { logging: {} } });
    await server.connect(new StdioServerTransport(input, output));
    return (data) => server.notification({ method: 'notifications/message', params: { level: 'info', data } });
  },
  async receive(input, output, onMessages) {
    const client = new Client(INFO);
    client.setNotificationHandler(LoggingMessageNotificationSchema, () => onMessages(1));
    await client.connect(new StdioServerTransport(input, output));
  },
};

export async function serveMcp(transport: Transport): Promise<void> {
  const server = new Server(INFO, { capabilities: { tools: {} } });
  server.setRequestHandler(CallToolRequestSchema, () => ({ content: [], structuredContent: ANSWER }));
  await server.connect(transport);
}

export async function connectMcp(transport: Transport): Promise<RpcClient> {
  const client = new Client(INFO);
  await client.connect(transport);
  return {
    call: async () => checkAnswer((await client.request(CALL, CallToolResultSchema)).structuredContent),
    close: () => client.close(),
  };
}
