import { createWebSocketServerTransport } from '@proto/transport-websocket';
import type { WebSocket } from 'ws';
import { loopback } from '../contract/loopback.test-support.ts';
import { beReferenceAgent } from './reference-agent.ts';

/** Starts a server whose agents run in this process. `open` creates a session for a launch and returns its address. */
export async function webSocketAgents() {
  const accepts = new Map<string, (socket: WebSocket) => void>();
  const server = await loopback((socket, url) => accepts.get(url)?.(socket));
  return {
    open(args: readonly string[]): string {
      const agent = createWebSocketServerTransport();
      const path = `/${accepts.size}`;
      accepts.set(path, (socket) => agent.accept(socket));
      void beReferenceAgent(agent, args);
      return server.url + path;
    },
    close: () => server.close(),
  };
}
