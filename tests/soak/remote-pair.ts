import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Transport } from '@proto/core/transport';
import { createAccounts, openSqliteEventLog, listen } from '@proto/ingress';
import { type FaultProxy, startFaultProxy } from '@proto/testkit';
import { createSseTransport, createSseWorkerTransport } from '@proto/transport-sse';
import { undiciFetch } from '@proto/transport-sse/node';
import { createWebSocketClientTransport, webSocketScheme } from '@proto/transport-websocket';
import { openSocket } from '@proto/transport-websocket/node';

/** How both ends of a session reach its server. */
export const WAYS = ['websocket', 'sse'] as const;
/** How one end reaches the server. */
export type Way = (typeof WAYS)[number];

/** Both ends of a session on a server with a file, and a function that cuts their links. */
export interface RemotePair {
  readonly agent: Transport;
  readonly host: Transport;
  readonly proxies: readonly FaultProxy[];
  close(): Promise<void>;
}

const TOKEN = 'driver-token-0123456789';

/** Starts a server over a temporary file, and connects both ends of a session, each behind its own proxy. */
export async function openRemotePair(way: Way): Promise<RemotePair> {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'));
  const log = await openSqliteEventLog({ file: join(folder, 'log.db') });
  const accounts = await createAccounts([{ name: 'driver', role: 'driver', token: TOKEN }]);
  const server = await listen({ log, accounts });
  const proxies = [await startFaultProxy(server.url), await startFaultProxy(server.url)] as const;
  const [forAgent, forHost] = proxies;
  const post = async (path: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const answer = await fetch(`${server.url}/v1/code/sessions${path}`, { method: 'POST', headers, body: '{}' });
    if (!answer.ok) throw new Error(`soak: ${path} was answered with ${answer.status}`);
    return answer.json();
  };
  const { session } = (await post('')) as { session: { id: string } };
  const lease = (await post(`/${session.id}/bridge`)) as { worker_jwt: string; worker_epoch: number };
  const ends = (way === 'sse' ? byStream : bySocket)(session.id, lease, forAgent.url, forHost.url);
  return {
    ...ends,
    proxies,
    async close() {
      for (const end of [ends.agent, ends.host]) end.abort();
      await Promise.all([ends.agent.closed, ends.host.closed]);
      for (const proxy of proxies) await proxy.close();
      await server.close();
      await log.close();
      rmSync(folder, { recursive: true });
    },
  };
}

interface Lease {
  readonly worker_jwt: string;
  readonly worker_epoch: number;
}

function byStream(id: string, { worker_jwt: token, worker_epoch: epoch }: Lease, forAgent: string, forHost: string) {
  const fetch = undiciFetch();
  const agent = createSseWorkerTransport({
    url: `${forAgent}/v1/code/sessions/${id}`,
    credential: () => ({ token, epoch }),
    fetch,
  });
  const host = createSseTransport({ url: `${forHost}/v1/code/sessions/${id}`, credential: () => TOKEN, fetch });
  return { agent, host };
}

function bySocket(id: string, { worker_jwt: token }: Lease, forAgent: string, forHost: string) {
  const agent = createWebSocketClientTransport({
    url: `${forAgent.replace('http', 'ws')}/v1/session_ingress/ws/${id}`,
    credential: token,
    open: openSocket,
  });
  const host = createWebSocketClientTransport({
    url: webSocketScheme.sessionUri(new URL(`${forHost}/v1/code/sessions/${id}`)),
    credential: TOKEN,
    open: openSocket,
  });
  return { agent, host };
}
