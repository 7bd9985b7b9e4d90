import { PassThrough } from 'node:stream';
import { createMemoryPair } from '@proto/core/transport';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { createBirpc } from 'birpc';
import { JSONRPCClient, JSONRPCServer, type JSONRPCRequest, type JSONRPCResponse } from 'json-rpc-2.0';
import { peer as acp } from './acp.ts';
import { connectMcp, serveMcp } from './mcp-1.ts';
import { connectOver, peer as ours, serveOver } from './ours.ts';
import { connectChecked, serveChecked } from './ours-full-check.ts';
import { ANSWER, answerFrame, ASK, checkAnswer, REQUEST_FRAME } from './permission.ts';
import type { RpcClient, StreamPeer } from './stream-peer.ts';
import { peer as vscode } from './vscode.ts';

/** Both ends run in one process and exchange text, except for the MCP library, whose link passes objects. The limit is the JSON of our frames. */
export const inMemory: Readonly<Record<string, () => Promise<RpcClient>>> = {
  limit: async () => ({
    async call() {
      const asked = JSON.parse(await later(JSON.stringify(REQUEST_FRAME))) as typeof REQUEST_FRAME;
      const frame = answerFrame(asked.request_id);
      const answered = JSON.parse(await later(JSON.stringify(frame))) as typeof frame;
      checkAnswer(answered.response.response);
    },
    close() {},
  }),
  ours: async () => {
    const { host, agent } = createMemoryPair();
    serveOver(agent);
    return connectOver(host);
  },
  'ours, full check': async () => {
    const { host, agent } = createMemoryPair();
    serveChecked(agent);
    return connectChecked(host);
  },
  'ours, streams': () => overStreams(ours),
  'vscode-jsonrpc': () => overStreams(vscode),
  '@agentclientprotocol/sdk': () => overStreams(acp),
  birpc: async () => {
    const ends: ((data: string) => void)[] = [];
    const channel = (own: number) => ({
      post: (data: string) => queueMicrotask(() => ends[1 - own]?.(data)),
      on: (listener: (data: string) => void) => void (ends[own] = listener),
      serialize: (value: unknown) => JSON.stringify(value),
      deserialize: (text: string) => JSON.parse(text) as unknown,
    });
    const functions = { ask: (_: typeof ASK) => ANSWER };
    createBirpc<object, typeof functions>(functions, channel(0));
    const client = createBirpc<typeof functions, object>({}, channel(1));
    return { call: async () => checkAnswer(await client.ask(ASK)), close: () => client.$close() };
  },
  'json-rpc-2.0': async () => {
    const server = new JSONRPCServer();
    server.addMethod('ask', () => ANSWER);
    const client: JSONRPCClient = new JSONRPCClient(async (request: JSONRPCRequest) => {
      const response = await server.receiveJSON(await later(JSON.stringify(request)));
      client.receive(JSON.parse(await later(JSON.stringify(response))) as JSONRPCResponse);
    });
    return { call: async () => checkAnswer(await client.request('ask', ASK)), close() {} };
  },
  '@modelcontextprotocol/sdk': async () => {
    const [agent, host] = InMemoryTransport.createLinkedPair();
    await serveMcp(agent);
    return connectMcp(host);
  },
  capnweb: async () => {
    // When the package is loaded, it uses a class that Node 20 does not have.
    (globalThis as { WebSocket?: unknown }).WebSocket ??= class {};
    const { RpcSession, RpcTarget } = await import('capnweb');
    class Agent extends RpcTarget {
      ask(_: typeof ASK) {
        return ANSWER;
      }
    }
    const [agent, host] = textPair();
    new RpcSession(agent, new Agent());
    const stub = new RpcSession<Agent>(host).getRemoteMain();
    return { call: async () => checkAnswer(await stub.ask(ASK)), close() {} };
  },
};

async function overStreams(peer: StreamPeer): Promise<RpcClient> {
  const there = new PassThrough();
  const back = new PassThrough();
  void peer.serve(there, back);
  return peer.connect(back, there);
}

async function later(text: string): Promise<string> {
  return text;
}

interface TextEnd {
  send(text: string): Promise<void>;
  receive(): Promise<string>;
}

function textPair(): [TextEnd, TextEnd] {
  const queues: { texts: string[]; wake: ((text: string) => void) | undefined }[] = [
    { texts: [], wake: undefined },
    { texts: [], wake: undefined },
  ];
  const end = (own: 0 | 1): TextEnd => ({
    async send(text) {
      const peer = queues[1 - own] as (typeof queues)[0];
      const { wake } = peer;
      peer.wake = undefined;
      if (wake === undefined) peer.texts.push(text);
      else wake(text);
    },
    receive() {
      const queue = queues[own] as (typeof queues)[0];
      const text = queue.texts.shift();
      return text === undefined ? new Promise((resolve) => void (queue.wake = resolve)) : Promise.resolve(text);
    },
  });
  return [end(0), end(1)];
}
