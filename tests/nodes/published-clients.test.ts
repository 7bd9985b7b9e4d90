/** The published browser SDK and the bridge, unchanged, against three nodes on one database, behind a proxy that gives each request to the next node. */
import { randomUUID } from 'node:crypto';
import { freePort } from '@proto/test-support';
import type { IngressServer } from '@proto/ingress';
import { migratePostgres, openPostgresEventLog } from '@proto/log-postgres';
import { postgresForTests } from '@proto/test-support/postgres-for-tests';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, onTestFinished } from 'vitest';
import { assistant, texts } from '../remote/messages.ts';
import { testPublishedClients } from '../remote/published-exchanges.ts';
import { attachWorker, newSession, openViewer, startIngress, TOKENS } from '../remote/remote-session.ts';
import { until } from '../remote/until.ts';
import { type RoundRobin, startRoundRobin } from './round-robin.ts';

const NODES = 3;
const database = postgresForTests();

interface Started {
  readonly proxy: RoundRobin;
  readonly nodes: readonly IngressServer[];
  readonly session: string;
}

/** Starts the nodes and the proxy for the time of a test, and makes a session. */
async function start(): Promise<Started> {
  const options = { url: database().url, schema: randomUUID(), maxConnections: 4 };
  await migratePostgres(options);
  const nodes: IngressServer[] = [];
  for (let n = 0; n < NODES; n++) {
    const log = await openPostgresEventLog(options);
    const port = await freePort();
    const node = await startIngress(log, port, { cluster: { url: `http://127.0.0.1:${port}`, ttlMs: 5000 } });
    nodes.push(node);
    onTestFinished(async () => {
      await node.close();
      await log.close();
    });
  }
  const proxy = await startRoundRobin(nodes.map(({ url }) => url));
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  return { proxy, nodes, session: await newSession(proxy.url) };
}

/** The node that has a session: the only one that answers without sending the request on. */
async function ownerOf(nodes: readonly IngressServer[], session: string): Promise<IngressServer> {
  for (const node of nodes) {
    // A request that was forwarded once is not forwarded again.
    const headers = { authorization: `Bearer ${TOKENS.driver}`, 'x-sjp-forwarded-by': 'a-test' };
    const { status } = await fetch(`${node.url}/v1/code/sessions/${session}`, { headers });
    if (status === 200) return node;
  }
  throw new Error('no node has the session');
}

describe.skipIf(!database.isInstalled)('three nodes behind a proxy', () => {
  testPublishedClients(async () => {
    const { proxy, session } = await start();
    onTestFinished(() => expect(Math.min(...proxy.counts.values())).toBeGreaterThan(0));
    return { url: proxy.url, session };
  });

  verifies(
    ['RES-2', 'REM-22', 'RES-7'],
    'the node that has the session ends, and neither viewers nor workers miss a message or get one twice',
    async () => {
      const { proxy, nodes, session } = await start();
      const { url } = proxy;
      const { handle, inbound } = await attachWorker(url, session);
      const viewer = openViewer(url, session);
      const first = viewer.prompt('first');
      handle.write(assistant('one') as never);
      await until(() => inbound.length === 1 && texts(viewer.messages).length === 1);
      await (await ownerOf(nodes, session)).close();
      handle.write(assistant('two') as never);
      await until(() => texts(viewer.messages).length === 2);
      const second = viewer.prompt('second');
      await until(() => inbound.length === 2);
      expect(inbound.map(({ uuid }) => uuid)).toEqual([first, second]);
      expect(texts(viewer.messages)).toEqual(['one', 'two']);
    },
    { timeout: 60_000 },
  );
});
