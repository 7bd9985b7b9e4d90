import { runAgent } from '@proto/core/agent';
import type { Transport } from '@proto/core/transport';
import { createReferenceAgent } from '@proto/reference-agent';
import { createAcceptingTransport } from '@proto/transport-websocket';
import type { WebSocket } from 'ws';
import { loopback } from '../contract/loopback.test-support.ts';

/** Is an agent over the transport, as the flags of its host ask. */
export function serve(transport: Transport, args: readonly string[]): void {
  const asked = args.includes('--permission-prompt-tool=stdio') ? { permissionPromptTool: 'stdio' } : {};
  const outcome = runAgent(transport, {
    ...createReferenceAgent(asked),
    ...asked,
    includePartialMessages: args.includes('--include-partial-messages'),
  });
  // How it ends is the host's to judge.
  outcome.catch(() => {});
}

/** A server whose agents are in this process: `open` begins a session of its own for a launch, and gives its address. */
export async function webSocketAgents() {
  const accepts = new Map<string, (socket: WebSocket) => void>();
  const server = await loopback((socket, url) => accepts.get(url)?.(socket));
  return {
    open(args: readonly string[]): string {
      const agent = createAcceptingTransport();
      const path = `/${accepts.size}`;
      accepts.set(path, (socket) => agent.accept(socket));
      serve(agent, args);
      return server.url + path;
    },
    close: () => server.close(),
  };
}
