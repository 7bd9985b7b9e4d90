/** Tests of the figures that a collector reads, from servers that answer requests. */
import { createAccounts, createMemoryEventLog, type IngressServer, listen } from '@proto/ingress';
import { type EventLog, EventLogError } from '@proto/ingress/event-log';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Family, parseExposition } from './exposition.test-support.ts';
import { createMetrics } from './metrics.ts';

const [DRIVER, COLLECTOR] = ['driver-token-0123456789', 'collector-token-0123456789'];
const servers: IngressServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function start(log: EventLog = createMemoryEventLog()) {
  const metrics = createMetrics();
  const accounts = await createAccounts([{ name: 'alice-of-the-office', role: 'driver', token: DRIVER }]);
  const server = await listen({ log, accounts, observer: metrics.observer, metrics: metrics.endpoint(COLLECTOR) });
  servers.push(server);
  const call = (path: string, init: RequestInit = {}, token = DRIVER) =>
    fetch(`${server.url}${path}`, { ...init, headers: { authorization: `Bearer ${token}` } });
  const post = (path: string, body: object) => call(path, { method: 'POST', body: JSON.stringify(body) });
  const { session } = (await (await post('/v1/code/sessions', {})).json()) as { session: { id: string } };
  const base = `/v1/code/sessions/${session.id}`;
  const say = (uuid: string) => post(`${base}/events`, { events: [{ payload: { type: 'user', uuid } }] });
  const read = async () => {
    const response = await call('/metrics', {}, COLLECTOR);
    return { response, text: await response.text() };
  };
  return { server, id: session.id, base, call, post, say, read };
}

/** The value of the one sample with these labels. */
function valueOf(families: ReadonlyMap<string, Family>, name: string, labels: Record<string, string> = {}) {
  const family = families.get(name) ?? families.get(name.replace(/_(?:count|sum)$/, ''));
  const found = family?.samples.filter(
    (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  expect(found, name).toHaveLength(1);
  return found?.[0]?.value;
}

test('figures are in the text format 0.0.4, and count requests, events, appends, sessions and what is stored', async () => {
  const { say, read, call, base } = await start();
  await say('one');
  await say('one');
  await say('two');
  await call(`${base}/events`);
  const { response, text } = await read();
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const families = parseExposition(text);
  const route = '/v1/code/sessions/:id/events';
  expect(valueOf(families, 'sjp_requests_total', { route, method: 'POST', status: '2xx' })).toBe(3);
  expect(valueOf(families, 'sjp_requests_total', { route, method: 'GET', status: '2xx' })).toBe(1);
  expect(valueOf(families, 'sjp_requests_total', { route: '/v1/code/sessions' })).toBe(1);
  expect(valueOf(families, 'sjp_request_duration_seconds_count', { route })).toBe(4);
  // The repeated message was not stored as an event.
  expect(valueOf(families, 'sjp_events_appended_total')).toBe(2);
  expect(valueOf(families, 'sjp_append_duration_seconds_count')).toBe(3);
  expect(valueOf(families, 'sjp_sessions')).toBe(1);
  expect(valueOf(families, 'sjp_store_sessions')).toBe(1);
  expect(valueOf(families, 'sjp_store_bytes')).toBeGreaterThan(20);
  expect(valueOf(families, 'sjp_store_up')).toBe(1);
  expect(valueOf(families, 'process_resident_memory_bytes')).toBeGreaterThan(1e6);
  expect(families.has('nodejs_eventloop_lag_p99_seconds')).toBe(true);
  expect([...families.values()].filter(({ help }) => help === '')).toEqual([]);
});

test('open streams count by reader and kind, and no longer when they have ended', async () => {
  const { server, base, call, post, read } = await start();
  const { worker_jwt } = (await (await post(`${base}/bridge`, {})).json()) as { worker_jwt: string };
  const [viewer, worker] = [new AbortController(), new AbortController()];
  await call(`${base}/events/stream`, { signal: viewer.signal });
  await call(`${base}/worker/events/stream`, { signal: worker.signal }, worker_jwt);
  const ticket = ((await (await post(`${base}/tickets`, {})).json()) as { ticket: string }).ticket;
  const url = `${server.url.replace('http', 'ws')}/v1/sessions/ws/${base.split('/').at(-1)}/subscribe?ticket=${ticket}`;
  const socket = new WebSocket(url);
  await new Promise((resolve) => socket.once('open', resolve));
  const streams = async () => {
    const families = parseExposition((await read()).text);
    const of = (reader: string, kind: string) => valueOf(families, 'sjp_streams', { reader, kind });
    return [
      of('viewer', 'event-stream'),
      of('worker', 'event-stream'),
      of('viewer', 'websocket'),
      of('worker', 'websocket'),
    ];
  };
  await expect.poll(streams).toEqual([1, 1, 1, 0]);
  const families = parseExposition((await read()).text);
  expect(valueOf(families, 'sjp_requests_total', { route: '/v1/sessions/ws/:id/subscribe', status: '1xx' })).toBe(1);
  viewer.abort();
  worker.abort();
  socket.close();
  await expect.poll(streams).toEqual([0, 0, 0, 0]);
});

test('refusals count by type, and labels are bounded: no id, no name and no text of a client becomes one', async () => {
  const { id, base, call, say, read } = await start();
  await say('a-text-of-a-client');
  for (let n = 0; n < 60; n++) {
    await call(`/v1/code/sessions/cse_made-up-${n}`);
    await call(`/no/such/address-${n}`, { method: n % 2 === 0 ? 'PATCH' : 'REPORT' });
  }
  await call(base, {}, 'a-token-of-nobody-01234');
  const { text } = await read();
  const families = parseExposition(text);
  expect(valueOf(families, 'sjp_refusals_total', { error: 'not_found_error' })).toBe(60);
  expect(valueOf(families, 'sjp_refusals_total', { error: 'authentication_error' })).toBe(1);
  expect(valueOf(families, 'sjp_requests_total', { route: 'other', method: 'other', status: '4xx' })).toBe(60);
  for (const secret of [id, 'made-up', 'address-', 'alice', 'a-text', DRIVER, COLLECTOR])
    expect(text).not.toContain(secret);
  const series = [...families.values()].flatMap(({ samples }) => samples);
  expect(series.length).toBeLessThan(400);
});

test('error types that an embedder makes up end as "other"', () => {
  const { observer, registry } = createMetrics();
  const asked = { method: 'POST', route: '/r', path: '/r', status: 502, ms: 1 };
  for (let n = 0; n < 1000; n++) observer.answered?.({ ...asked, error: `made-up-${n}`, route: `/r${n}` });
  return registry.metrics().then((text) => {
    const families = parseExposition(text);
    expect(families.get('sjp_refusals_total')?.samples).toHaveLength(41);
    expect(valueOf(families, 'sjp_refusals_total', { error: 'other' })).toBe(960);
    expect(families.get('sjp_requests_total')?.samples).toHaveLength(41);
  });
});

test('appends that fail count by their code, and a store that fails does not fail the figures', async () => {
  const log = createMemoryEventLog();
  const failing: EventLog = {
    ...log,
    append: async () => Promise.reject(new EventLogError('full', 'no room')),
    usage: async () => Promise.reject(new EventLogError('failed', 'no disk')),
  };
  let isFailing = false;
  const either = new Proxy(log, { get: (_, name) => Reflect.get(isFailing ? failing : log, name) as unknown });
  const { say, read } = await start(either);
  isFailing = true;
  expect((await say('lost')).status).toBe(503);
  const families = parseExposition((await read()).text);
  expect(valueOf(families, 'sjp_append_failures_total', { code: 'full' })).toBe(1);
  expect(valueOf(families, 'sjp_refusals_total', { error: 'storage_full' })).toBe(1);
  expect(valueOf(families, 'sjp_store_up')).toBe(0);
});

test('the parser of these tests refuses what a collector refuses', () => {
  expect(() => parseExposition('a 1')).toThrow('no end');
  expect(() => parseExposition('a{b=1} 1\n')).toThrow('no sample');
  expect(() => parseExposition('a{b="1"} 1\na{b="1"} 2\n')).toThrow('twice');
  expect(() => parseExposition('a 1\nb 1\na{x="1"} 1\n')).toThrow('two places');
  const buckets = '# TYPE h histogram\nh_bucket{le="1"} 5\nh_bucket{le="+Inf"} 4\n';
  expect(() => parseExposition(buckets)).toThrow('not a distribution');
});
