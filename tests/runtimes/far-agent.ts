import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFaultProxy } from '@proto/testkit';
import { startIngress, TOKENS } from '../remote/remote-session.ts';
import { makeSession, workerBySocket } from '../remote/remote-pair.ts';
import { beReferenceAgent } from '../scenarios/reference-agent.ts';
import type { Task } from './program.ts';

/** An HTTP server next to the ingress: it serves a page, and answers the requests of a program during its work. */
export interface FarAgent {
  readonly url: string;
  /** Creates a new session for each task. */
  task(prefer: Task['prefer']): Promise<Task>;
  close(): Promise<void>;
}

/** Starts an agent that serves a session of an ingress whose links can be broken; `serve` answers all other requests. */
export async function startFarAgent(
  serve: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => void response.end(),
): Promise<FarAgent> {
  const pages = createServer((request, response) => {
    if (request.url !== '/cut') return serve(request, response);
    proxy.cut('rst');
    response.end();
  });
  pages.listen(0, '127.0.0.1');
  await once(pages, 'listening');
  const url = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  const ingress = await startIngress(undefined, 0, { allowedOrigins: [url] });
  const proxy = await startFaultProxy(ingress.url);
  return {
    url,
    async task(prefer) {
      const session = await makeSession(ingress.url);
      const worker = workerBySocket(Promise.resolve(session));
      void beReferenceAgent(worker, []);
      return { session: session.url.replace(ingress.url, proxy.url), token: TOKENS.driver, prefer, cut: `${url}/cut` };
    },
    async close() {
      pages.closeAllConnections();
      pages.close();
      await proxy.close();
      await ingress.close();
    },
  };
}
