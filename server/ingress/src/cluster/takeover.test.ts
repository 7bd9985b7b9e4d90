/** Tests of sessions that move from node to node: a node dies, is stopped and wakes, shuts down, or loses its store. */
import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { assistant, TOKENS, user } from '../ingress.test-support.ts';
import { type EventLog, EventLogError } from '../log/event-log.ts';
import { base, idsIn, startNodes, type TestNode, TTL_MS } from './nodes.test-support.ts';

/** A store whose appends wait until they are let through. */
function gated() {
  let open: () => void = () => {};
  let gate: Promise<void> | undefined;
  let waiting = 0;
  return {
    get waiting() {
      return waiting;
    },
    close: () => void (gate = new Promise((resolve) => (open = resolve))),
    open: () => open(),
    over: (log: EventLog): EventLog => ({
      ...log,
      async append(...given) {
        waiting++;
        await gate;
        return log.append(...given);
      },
    }),
  };
}

const pair = (nodes: readonly TestNode[]) => nodes as readonly [TestNode, TestNode];

test('the sessions of a node that does not renew its claims are served by another after their time, and not before', async () => {
  const { nodes, store, pass } = await startNodes(2);
  const [a, b] = pair(nodes);
  const id = await a.newSession();
  await b.post(id, [user('1')]);
  a.clock.isStopped = true;
  await pass(TTL_MS - 1000);
  expect((await store.claim(id, 'a test', 1)).heldBy).toContain(a.url);
  await b.post(id, [user('2')]);
  await pass(1500);
  expect((await b.post(id, [user('3')])).status).toBe(200);
  expect((await store.claim(id, 'a test', 1)).heldBy).toContain(b.url);
  expect(await idsIn(store, id)).toEqual(['uuid-1', 'uuid-2', 'uuid-3']);
});

test('a node keeps its sessions as long as it renews its claims', async () => {
  const { nodes, store, pass } = await startNodes(2);
  const [a, b] = pair(nodes);
  const id = await a.newSession();
  const viewer = await b.view(id);
  await pass(10 * TTL_MS);
  await b.post(id, [user('1')]);
  await viewer.take(1);
  expect((await store.claim(id, 'a test', 1)).heldBy).toContain(a.url);
});

test('a node that was stopped and wakes writes nothing, ends its streams, and forwards requests', async () => {
  const { nodes, store, pass } = await startNodes(2);
  const [a, b] = pair(nodes);
  const id = await a.newSession();
  const lease = await a.claimLease(id);
  const [viewer, through, worker] = [await a.view(id), await b.view(id), await lease.follow(a)];
  const socket = a.viewSocket(id, { token: TOKENS.viewer });
  await socket.opened;
  await b.post(id, [user('1')]);
  for (const stream of [viewer, through]) await stream.take(1);
  a.clock.isStopped = true;
  await pass(TTL_MS + 500);
  expect((await b.post(id, [user('2')])).status).toBe(200);
  // The clock of node a has stopped, so node a considers itself the owner until the store refuses a write.
  const refused = await a.post(id, [user('3')]);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  await Promise.all([viewer.ended, through.ended, worker.ended]);
  expect(await socket.closed).toBe(1012);
  expect((await lease.say(a, assistant('of the worker'))).status).toBe(200);
  expect(await idsIn(store, id)).toEqual(['uuid-1', 'uuid-2', 'uuid-of the worker']);
  const again = await a.view(id, { cursor: 1 });
  expect((await again.take(2)).map(({ uuid }) => uuid)).toEqual(['uuid-2', 'uuid-of the worker']);
  expect(a.errors).toEqual([]);
});

test('a node that wakes ends its streams also without a request', async () => {
  const { nodes, pass } = await startNodes(2);
  const [a, b] = pair(nodes);
  const id = await a.newSession();
  const viewer = await a.view(id);
  a.clock.isStopped = true;
  await pass(TTL_MS + 500);
  await b.post(id, [user('1')]);
  a.clock.isStopped = false;
  await pass(500);
  await viewer.ended;
  // Node a must not answer from memory, because its state of the session is outdated.
  const { body } = await a.call(`${base(id)}/events`);
  expect(body['data']).toMatchObject([{ event_id: 'uuid-1' }]);
});

test('a write that was under way when its node was stopped does not land after the takeover', async () => {
  const gate = gated();
  const { nodes, store, pass } = await startNodes(2, (index) => (index === 0 ? { over: gate.over } : {}));
  const [a, b] = pair(nodes);
  const id = await a.newSession();
  gate.close();
  const late = a.post(id, [user('1'), user('2')]);
  while (gate.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
  a.clock.isStopped = true;
  await pass(TTL_MS + 500);
  // The client gives up, and tries again with another node.
  expect((await b.post(id, [user('1'), user('2')])).status).toBe(200);
  expect((await b.post(id, [user('3')])).status).toBe(200);
  gate.open();
  expect((await late).status).toBe(503);
  expect(await idsIn(store, id)).toEqual(['uuid-1', 'uuid-2', 'uuid-3']);
});

test('an owner that dies in the middle of a request: the client is asked to try again, and nothing is stored twice', async () => {
  const gate = gated();
  const proxy = await startProxy();
  const { nodes, store, pass } = await startNodes(2, (index) =>
    index === 0 ? { over: gate.over, clusterUrl: proxy.url } : {},
  );
  const [a, b] = pair(nodes);
  proxy.target(a.url);
  const id = await a.newSession();
  const viewer = await b.view(id);
  gate.close();
  const cut = b.post(id, [user('1')]);
  while (gate.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
  proxy.kill();
  a.clock.isStopped = true;
  expect([(await cut).status, (await cut).headers.get('retry-after')]).toEqual([503, '1']);
  await viewer.ended.catch(() => {});
  // No node owns the session until the claim of the dead node has expired.
  expect((await b.post(id, [user('1')])).status).toBe(503);
  gate.open();
  await pass(TTL_MS + 500);
  const again = await b.post(id, [user('1')]);
  expect(again).toMatchObject({ status: 200, body: { events: [{ event_id: 'uuid-1' }] } });
  expect(await idsIn(store, id)).toEqual(['uuid-1']);
});

test('a node that shuts down gives up its sessions at once', async () => {
  const { nodes, store } = await startNodes(2);
  const [a, b] = pair(nodes);
  const id = await a.newSession();
  const [own, through] = [await a.view(id), await b.view(id)];
  await a.server.close();
  await Promise.all([own.ended, through.ended]);
  expect((await b.post(id, [user('1')])).status).toBe(200);
  expect((await store.claim(id, 'a test', 1)).heldBy).toContain(b.url);
});

test('a node that cannot reach the store stops serving its sessions when their time is over', async () => {
  let isDown = false;
  const over = (log: EventLog): EventLog => ({
    ...log,
    claim: (...given) =>
      isDown ? Promise.reject(new EventLogError('failed', 'the store is gone')) : log.claim(...given),
  });
  const { nodes, pass } = await startNodes(2, (index) => (index === 0 ? { over } : {}));
  const [a, b] = pair(nodes);
  const id = await a.newSession();
  const viewer = await a.view(id);
  isDown = true;
  await pass(TTL_MS + 500);
  await viewer.ended;
  expect((await a.call(base(id))).status).toBe(503);
  expect((await b.post(id, [user('1')])).status).toBe(200);
  isDown = false;
  expect((await a.call(base(id))).status).toBe(200);
});

test('an agent of a node loses its lease with the session, and a worker from elsewhere keeps it', async () => {
  const lost: string[] = [];
  const agents = {
    need() {},
    failureOf: () => undefined,
    end() {},
    lose: (session: string) => void lost.push(session),
  };
  const { nodes, store, pass } = await startNodes(2, () => ({ agents }));
  const [a, b] = pair(nodes);
  const [own, remote] = [await a.newSession(), await a.newSession()];
  /** A request of the agent, within the process of its node. */
  const asAgent = async (path: string, token: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, host: '127.0.0.1' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await a.server.fetch(new Request(`http://127.0.0.1${base(own)}${path}`, init));
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const { body } = await asAgent('/bridge', TOKENS.driver, {});
  const [token, epoch] = [String(body['worker_jwt']), Number(body['worker_epoch'])];
  const say = (uuid: string) => ({ worker_epoch: epoch, events: [{ payload: assistant(uuid) }] });
  expect((await asAgent('/worker/events', token, say('early'))).status).toBe(200);
  const lease = await a.claimLease(remote);
  a.clock.isStopped = true;
  await pass(TTL_MS + 500);
  for (const id of [own, remote]) expect((await b.post(id, [user('1')])).status).toBe(200);
  // The agent is refused on every path: by the new owner, and by its own node, whose write the store refuses.
  const overNetwork = await b.call(`${base(own)}/worker/events`, say('over the network'), { token });
  expect([overNetwork.status, overNetwork.headers.get('x-ccr-conflict-reason')]).toEqual([409, 'superseded_by_worker']);
  expect((await asAgent('/worker/events', token, say('by its node'))).status).toBe(503);
  expect(lost).toEqual([own]);
  // Later its own node refuses the agent itself, and forwards nothing for the agent.
  for (const path of ['/worker/events', '/bridge']) {
    expect((await asAgent(path, path === '/bridge' ? TOKENS.driver : token, say('late'))).status).toBe(409);
  }
  expect(await idsIn(store, own)).toEqual(['uuid-early', 'uuid-1']);
  expect((await lease.say(b, assistant('2'))).status).toBe(200);
  expect(await idsIn(store, remote)).toEqual(['uuid-1', 'uuid-2']);
});

/** A way to a node that can be cut. */
async function startProxy() {
  let port = 0;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) socket.on('error', () => {}).once('close', () => (near.destroy(), far.destroy()));
    sockets.add(near);
    near.pipe(far);
    far.pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const kill = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(kill);
  const address = server.address() as { readonly port: number };
  return {
    url: `http://127.0.0.1:${address.port}`,
    target: (url: string) => void (port = Number(new URL(url).port)),
    kill,
  };
}
