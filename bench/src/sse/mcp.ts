import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { connectMcp, serveMcp } from '../rpc/mcp-1.ts';
import type { SsePeer } from './sse-peer.ts';

/** The Model Context Protocol over a stream and POSTs to an address that it names. */
export const legacy: SsePeer = {
  serve() {
    let transport: SSEServerTransport | undefined;
    return (request, response) => {
      if (request.method === 'POST') return void transport?.handlePostMessage(request, response);
      transport = new SSEServerTransport('/messages', response);
      void serveMcp(transport);
    };
  },
  connect: (url) => connectMcp(new SSEClientTransport(new URL(url), { fetch: quietFetch })),
};

/** The one after it: the answer is an event stream of its own, in the answer to the POST. */
export const streamable: SsePeer = {
  serve() {
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
    const serving = serveMcp(transport);
    return (request, response) => void serving.then(() => transport.handleRequest(request, response));
  },
  connect: (url) => connectMcp(new StreamableHTTPClientTransport(new URL(url), { fetch: quietFetch })),
};

/** The `fetch` of Node, without a warning of each request above 1500 that listens to the one signal they share. */
function quietFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  if (init?.signal) setMaxListeners(0, init.signal);
  return fetch(url, init);
}
