import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { connectMcp, serveMcp } from '../rpc/mcp-1.ts';
import type { SsePeer } from './sse-peer.ts';

/** The Model Context Protocol over an event stream that names the address for POSTs. */
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

/** The later transport of the Model Context Protocol: the answer to a POST is an event stream with the response. */
export const streamable: SsePeer = {
  serve() {
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
    const serving = serveMcp(transport);
    return (request, response) => void serving.then(() => transport.handleRequest(request, response));
  },
  connect: (url) => connectMcp(new StreamableHTTPClientTransport(new URL(url), { fetch: quietFetch })),
};

/** The `fetch` of Node, without its warnings when more than 1500 requests listen to one shared signal. */
function quietFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  if (init?.signal) setMaxListeners(0, init.signal);
  return fetch(url, init);
}
