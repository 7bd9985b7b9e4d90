import { createAcceptingTransport } from '@proto/transport-websocket';
import type { WebSocket } from 'ws';
import { loopback } from '../contract/loopback.test-support.ts';
import { beReferenceAgent } from './reference-agent.ts';

/** A server whose agents are in this process: `open` begins a session of its own for a launch, and gives its address. */
export async function webSocketAgents() {
  const accepts = new Map<string, (socket: WebSocket) => void>();
  const server = await loopback((socket, url) => accepts.get(url)?.(socket));
  return {
    open(args: readonly string[]): string {
      const agent = createAcceptingTransport();
      const path = `/${accepts.size}`;
      accepts.set(path, (socket) => agent.accept(socket));
      void beReferenceAgent(agent, args);
      return server.url + path;
    },
    close: () => server.close(),
  };
}
