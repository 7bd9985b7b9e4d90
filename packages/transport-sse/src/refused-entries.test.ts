/** Tests of messages that a server refused within a POST that it answered with 200. */
import { encodeBatch } from '@proto/core/transport';
import { expect, test } from 'vitest';
import type { HttpResponse } from './http.ts';
import { FakeSession } from './fake-session.test-support.ts';
import { FakeWorkerSession } from './worker/fake-worker-session.test-support.ts';
import { follow } from './viewer.test-support.ts';
import { attach } from './worker/worker.test-support.ts';

const messages = encodeBatch({ type: 'user', uuid: 'a' }, { type: 'user', uuid: 'b' }, { type: 'user', uuid: 'c' });
const said = { error: { type: 'invalid_answer' } };
const refusal = (event_id: string) => ({ kind: 'notice', event: 'message_refused', data: { event_id, ...said } });

function answering(response: HttpResponse, body: unknown): HttpResponse {
  return { ...response, body: new Response(typeof body === 'string' ? body : JSON.stringify(body)).body };
}

test.each([
  ['the ids of refused messages', { events: [{ event_id: 'a' }, { event_id: 'b', ...said }, said] }, ['b', 'c']],
  ['no answers that came too late', { events: [{}, { error: { type: 'already_resolved' } }, {}] }, []],
  ['nothing for a list of another length', { events: [said] }, []],
  ['nothing for an invalid body', '{"error"', []],
])('a viewer is notified of %s', async (_, body, refused) => {
  const session = new FakeSession();
  const fetch: typeof session.fetch = async (url, request) => {
    const response = await session.fetch(url, request);
    return request.method === 'POST' ? answering(response, body) : response;
  };
  const { transport, items, clock } = follow({ fetch }, session);
  await transport.opened;
  await transport.send(messages);
  await clock.settle();
  expect(items).toEqual(refused.map((event_id) => refusal(event_id)));
  transport.abort();
});

test('a worker is notified of its refused events, and not of other refused entries', async () => {
  const session = new FakeWorkerSession();
  const fetch: typeof session.fetch = async (url, request) => {
    const response = await session.fetch(url, request);
    if (request.method !== 'POST') return response;
    const results = url.endsWith('/worker/events') ? [{}, { event_id: 'b', ...said }, {}] : [said];
    return url.endsWith('/register') ? response : answering(response, { results });
  };
  const { transport, items, clock } = attach({ fetch }, session);
  await transport.opened;
  await transport.send(messages);
  await clock.settle();
  expect(items).toEqual([refusal('b')]);
  transport.abort();
});
