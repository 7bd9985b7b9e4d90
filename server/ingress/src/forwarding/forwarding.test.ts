/** Tests of requests that arrive at a node which does not have their session, over real sockets. */
import { expect, test } from 'vitest';
import { answer, assistant, permission, TOKENS, user } from '../ingress.test-support.ts';
import type { JsonObject } from '../json/values.ts';
import { base, idsIn, startNodes } from '../cluster/nodes.test-support.ts';

const uuids = (messages: readonly JsonObject[]) => messages.map(({ uuid }) => uuid);

test('a viewer on one node and a worker on another share a session of a third, over event streams', async () => {
  const { nodes, store } = await startNodes(3);
  const [a, b, c] = nodes as [(typeof nodes)[0], (typeof nodes)[0], (typeof nodes)[0]];
  const id = await a.newSession();
  const viewer = await b.view(id);
  const lease = await c.claimLease(id);
  const worker = await lease.follow(c);
  expect((await b.post(id, [user('from b')])).status).toBe(200);
  expect((await c.post(id, [user('from c')])).status).toBe(200);
  expect(uuids(await worker.take(2))).toEqual(['uuid-from b', 'uuid-from c']);
  expect((await lease.say(b, permission('p'))).body).toMatchObject({ has_subscribers: true });
  expect((await lease.mark(c, { event_id: 'uuid-from b', status: 'processed' })).status).toBe(200);
  expect(uuids(await viewer.take(3))).toEqual(['uuid-from b', 'uuid-from c', 'asks-p']);
  await viewer.until(() => viewer.of('delivery_update').length === 1);
  // Answers on two nodes: the first valid one wins.
  const answers = await Promise.all([
    b.post(id, [answer('p', 'allow')], TOKENS.approver),
    c.post(id, [answer('p', 'deny')], TOKENS.driver),
  ]);
  const results = answers.map(({ body }) => (body['events'] as [{ error?: { type: string } }])[0].error?.type);
  expect(new Set(results)).toEqual(new Set(['already_resolved', undefined]));
  await worker.take(3);
  await lease.say(c, assistant('done'));
  await viewer.until(() => viewer.of('client_event').some(({ data }) => data?.['event_id'] === 'uuid-done'));
  expect(await idsIn(store, id)).toHaveLength(5);
  for (const node of nodes) expect(node.errors).toEqual([]);
});

test('WebSockets of viewers and workers are forwarded, in both modes, and with the token in the first frame', async () => {
  const { nodes } = await startNodes(3);
  const [a, b, c] = nodes as [(typeof nodes)[0], (typeof nodes)[0], (typeof nodes)[0]];
  const id = await a.newSession();
  const { token } = await b.claimLease(id);
  const worker = c.workSocket(id, { token, resumable: true });
  const bare = b.viewSocket(id, { token: TOKENS.viewer });
  const late = c.viewSocket(id);
  await late.opened;
  late.say({ type: 'auth', credential: { type: 'oauth', token: TOKENS.driver } });
  await worker.opened;
  worker.say({ ack: 0, stream: 'of the worker', from: 1 });
  await Promise.all([bare.opened, worker.take(1)]);
  await a.post(id, [user('hello')]);
  const has = (uuid: string) => (line: JsonObject) => JSON.stringify(line).includes(`"uuid-${uuid}"`);
  for (const socket of [worker, bare, late]) await socket.take(1, has('hello'));
  await worker.close();
  // The close of the client arrived at the owner, so the worker may attach again through another node.
  const again = b.workSocket(id, { token });
  await again.take(1, has('hello'));
  again.say(assistant('over a socket'));
  await bare.take(1, has('over a socket'));
  const unknown = b.viewSocket(id, { token: 'unknown' });
  expect(await unknown.closed).toBe(4003);
});

test('a request that a node has forwarded is not forwarded again: the client is asked to try again soon', async () => {
  const { nodes } = await startNodes(2);
  const [a, b] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
  const id = await a.newSession();
  const headers = { 'x-sjp-forwarded-by': 'some node' };
  const refused = await b.call(base(id), undefined, { headers });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(refused.body).toMatchObject({ error: { type: 'session_moving' } });
  const events = JSON.stringify({ events: [{ payload: user('x') }] });
  const posted = await b.call(`${base(id)}/events`, undefined, { method: 'POST', body: events, headers });
  expect(posted.status).toBe(503);
  const socket = b.viewSocket(id, { token: TOKENS.viewer, headers });
  await socket.closed;
  expect([socket.status, socket.headers['retry-after']]).toEqual([503, '1']);
  // The node that owns the session answers the request.
  expect((await a.call(base(id), undefined, { headers })).status).toBe(200);
});

test('both nodes check the rights of a request, its host and its limits', async () => {
  const { nodes, store } = await startNodes(2, () => ({ limits: { maxBodyBytes: 10_000 } }));
  const [a, b] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
  const id = await a.newSession();
  expect((await b.post(id, [user('x')], 'unknown')).status).toBe(401);
  expect((await b.post(id, [user('x')], TOKENS.viewer)).status).toBe(403);
  expect((await b.post(id, [user('x'.repeat(20_000))])).status).toBe(413);
  const chunked = new ReadableStream({ start: (sink) => (sink.enqueue(Buffer.alloc(20_000, ' ')), sink.close()) });
  const init = { method: 'POST', body: chunked, duplex: 'half' } as RequestInit;
  expect((await b.call(`${base(id)}/events`, undefined, init)).status).toBe(413);
  expect((await b.call(base('cse_unknown'))).status).toBe(404);
  const origin = { headers: { origin: 'https://evil.example' } };
  expect((await b.call(base(id), undefined, origin)).status).toBe(403);
  // The worker gets the address that its client has used, not the address of a node.
  const bridged = await b.call(`${base(id)}/bridge`, {});
  expect(bridged.body['api_base_url']).toBe(b.url);
  expect(await idsIn(store, id)).toEqual([]);
});

test('sessions are created on any node, and each node lists all of them as they are', async () => {
  const { nodes } = await startNodes(3);
  const ids: string[] = [];
  for (const node of [...nodes, ...nodes]) ids.unshift(await node.newSession());
  const [first] = nodes as [(typeof nodes)[0]];
  const lease = await first.claimLease(ids[0] as string);
  await lease.say(first, permission('p'));
  for (const node of nodes) {
    const { body } = await node.call('/v1/code/sessions');
    const data = body['data'] as { id: string; open_requests: number }[];
    expect(data.map((session) => session.id)).toEqual(ids);
    expect(data.map(({ open_requests }) => open_requests)).toEqual([1, 0, 0, 0, 0, 0]);
  }
});

test('a ticket opens a stream once, on whichever node it is used', async () => {
  const { nodes } = await startNodes(3);
  const [a, b, c] = nodes as [(typeof nodes)[0], (typeof nodes)[0], (typeof nodes)[0]];
  const id = await a.newSession();
  const ticketOf = async (node: typeof a) => String((await node.call(`${base(id)}/tickets`, {})).body['ticket']);
  const statusOf = async (node: typeof a, ticket: string) => {
    const path = `${base(id)}/events/stream?ticket=${ticket}`;
    const opened = await node.stream(path, null).catch((error: Error) => error.message);
    return typeof opened === 'string' ? opened : 'open';
  };
  const [one, two] = [await ticketOf(b), await ticketOf(c)];
  expect(await statusOf(c, one)).toBe('open');
  for (const node of nodes) expect(await statusOf(node, one)).toBe('no event stream: 401');
  expect(await statusOf(a, two)).toBe('open');
  const three = await ticketOf(a);
  expect(await statusOf(b, `${three.slice(0, -1)}${three.endsWith('A') ? 'B' : 'A'}`)).toBe('no event stream: 401');
  expect(await statusOf(b, three)).toBe('open');
});
