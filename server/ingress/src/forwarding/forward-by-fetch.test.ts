/** Tests of nodes without an HTTP server, which forward requests with `fetch`. */
import { expect, test } from 'vitest';
import { createIngress, type Ingress } from '../ingress.ts';
import { drainedAfterTest, readFrames, TOKENS, user } from '../ingress.test-support.ts';
import { createMemoryEventLog } from '../log/memory-event-log.ts';
import { base, startNodes, testAccounts } from '../cluster/nodes.test-support.ts';

const request = (path: string, { json, ...init }: RequestInit & { json?: unknown } = {}) =>
  new Request(`http://localhost${path}`, {
    ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
    ...init,
    headers: { authorization: `Bearer ${TOKENS.driver}` },
  });

test('nodes of one process forward requests by a function, with their streams', async () => {
  const store = createMemoryEventLog();
  const nodes = new Map<string, Ingress>();
  for (const url of ['http://a:1', 'http://b:1']) {
    const forward = async (sent: Request) => {
      const { origin, pathname, search } = new URL(sent.url);
      const node = nodes.get(origin);
      return node === undefined
        ? Response.error()
        : node.fetch(new Request(`http://localhost${pathname}${search}`, sent));
    };
    const node = createIngress({ log: store.another(), accounts: await testAccounts(), cluster: { url, forward } });
    nodes.set(url, drainedAfterTest(node));
  }
  const [a, b] = [...nodes.values()] as [Ingress, Ingress];
  const { session } = (await (await a.fetch(request('/v1/code/sessions', { json: {} }))).json()) as {
    session: { id: string };
  };
  const viewer = readFrames(await b.fetch(request(`${base(session.id)}/events/stream`)));
  const json = { events: [{ payload: user('through b') }] };
  expect((await b.fetch(request(`${base(session.id)}/events`, { json }))).status).toBe(200);
  expect(await viewer.take(1)).toMatchObject([{ uuid: 'uuid-through b' }]);
  const upgrade = await b.upgrade(request(`/v1/sessions/ws/${session.id}/subscribe`));
  expect(upgrade).toMatchObject({ status: 503, to: { url: 'http://a:1' } });
  await b.drain();
  await viewer.ended.catch(() => {});
});

test('a node that cannot be reached gets no more requests: the client is asked to try again, and then another node has the session', async () => {
  const { nodes, store } = await startNodes(1);
  const [owner] = nodes as [(typeof nodes)[0]];
  const id = await owner.newSession();
  const hosts: (string | null)[] = [];
  const forward = async (sent: Request) => {
    hosts.push(sent.headers.get('host'));
    throw new Error('unreachable');
  };
  const cluster = { url: 'http://127.0.0.1:9', forward };
  const node = drainedAfterTest(createIngress({ log: store.another(), accounts: await testAccounts(), cluster }));
  const moving = await node.fetch(request(base(id)));
  expect([moving.status, moving.headers.get('retry-after')]).toEqual([503, '1']);
  expect(hosts).toEqual(['localhost']);
  await owner.server.close();
  expect((await node.fetch(request(base(id)))).status).toBe(200);
  expect(hosts).toHaveLength(1);
});

test('an ingress that cannot forward requests is refused', async () => {
  const options = { log: createMemoryEventLog(), accounts: await testAccounts() };
  expect(() => createIngress({ ...options, cluster: { url: 'http://127.0.0.1:9' } })).toThrow(TypeError);
});
