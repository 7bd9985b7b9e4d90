import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { guardLoopback } from './guard.ts';
import type { InspectedSessions } from './inspected-sessions.ts';
import { createInspectorApp } from './inspector-app.ts';
import { readPage } from './page-file.ts';
import { Visitors } from './visitors.ts';

/** The port of `sjp inspect`. */
export const DEFAULT_INSPECTOR_PORT = 6374;
const MAX_CONNECTIONS = 200;

/** A page that is being served. */
export interface InspectorServer {
  /** The address of the page, without a slash at its end. */
  readonly url: string;
  /** Returns the address with a new ticket, which can be used once within 60 s. */
  link(): string;
  close(): Promise<void>;
}

/** Serves the page on 127.0.0.1. Rejects with the system error if the port is in use. */
export async function serveInspector(sessions: InspectedSessions, port: number): Promise<InspectorServer> {
  const visitors = new Visitors();
  const page = await readPage();
  let url = '';
  const cookie = () => `sjp_inspect_${new URL(url).port}`;
  const app = createInspectorApp({ page, visitors, cookie, guard: guardLoopback });
  const answer = getRequestListener((request) => app.fetch(request), { overrideGlobalObjects: false });
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 60_000 }, (incoming, outgoing) => {
    void answer(incoming, outgoing);
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    // Browsers do not send the fragment of an address, either to the server or in the `Referer` header.
    link: () => `${url}/#ticket=${visitors.issueTicket(sessions)}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
