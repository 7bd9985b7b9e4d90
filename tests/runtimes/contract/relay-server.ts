import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { NetworkedSession } from '../../contract/event-stream-transports.ts';
import { startNetworkedSession } from '../../contract/networked-session.ts';
import { type SocketEnd, SocketRelay } from './socket-relay.ts';

/** What a program that is not in Node asks of the server: a function of a relay or of a session, by its name. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: readonly unknown[];
}

/** Gives programs on any platform what the transport contract needs on the other side of the network. */
export interface RelayServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the server. `serve` answers all requests that are not for it. */
export async function startRelayServer(
  serve: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<RelayServer> {
  const relays = new Map<string, SocketRelay>();
  const sessions = new Map<string, NetworkedSession>();
  let url = '';
  const answers: Readonly<Record<string, (request: IncomingMessage) => Promise<unknown>>> = {
    async '/relays'() {
      const id = randomUUID();
      relays.set(id, new SocketRelay());
      return { id };
    },
    async '/sessions'() {
      const id = randomUUID();
      const session = await startNetworkedSession([url]);
      sessions.set(id, session);
      return { ...session, id };
    },
    async '/calls'(request) {
      const { id, name, args } = (await json(request)) as Call;
      const functions: unknown = relays.get(id) ?? sessions.get(id);
      await (functions as Record<string, (...args: readonly unknown[]) => unknown>)[name]?.(...args);
      return {};
    },
  };
  const server = createServer((request, response) => {
    const answer = request.method === 'POST' ? answers[request.url ?? ''] : undefined;
    if (answer === undefined) return serve(request, response);
    void answer(request).then(
      (body) => response.end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.on('upgrade', (request, socket, head) => {
    const [, , id = '', end] = (request.url ?? '').split('/');
    const relay = relays.get(id);
    if (relay === undefined) socket.destroy();
    else relay.arrive(end as SocketEnd, { request, socket, head });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async close() {
      for (const relay of relays.values()) relay.close();
      for (const session of sessions.values()) await session.close();
      server.close();
      server.closeAllConnections();
    },
  };
}
