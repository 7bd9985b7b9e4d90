import { createMemoryPair, encodeBatch, type Transport, TransportError } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { HttpRequest } from '../http.ts';
import { readAll } from '../read-all.test-support.ts';
import { createHybridTransport } from './hybrid-transport.ts';

const WORKER = 'ws://h/v1/session_ingress/ws/s';
const VIEWER = 'ws://h/v1/sessions/ws/s/subscribe';

/** A hybrid side whose socket is a memory pair; the answers to its POST requests are statuses, or errors. */
function hybrid(url: string, answers: readonly (number | Error)[] = []) {
  const { host: far, agent: near } = createMemoryPair();
  const posts: { readonly url: string; readonly events: Record<string, unknown>[]; readonly body: object }[] = [];
  const fetch = async (to: string, { body = '' }: HttpRequest) => {
    const parsed = JSON.parse(body) as { events: Record<string, unknown>[] };
    posts.push({ url: to, events: parsed.events, body: parsed });
    const answer = answers[posts.length - 1] ?? 200;
    if (typeof answer !== 'number') throw answer;
    return { status: answer, headers: new Headers(), body: null };
  };
  const clock = { now: () => performance.now(), setTimeout: (run: () => void) => setTimeout(run, 0), clearTimeout };
  const side: Transport = createHybridTransport(url, () => near, { fetch, clock });
  onTestFinished(() => side.abort());
  return { side, far, posts, ...readAll(side) };
}

test('a worker posts bare messages, each with a uuid; a viewer posts envelopes to the address of event streams', async () => {
  const worker = hybrid(WORKER);
  await worker.side.send(encodeBatch({ type: 'assistant', n: 1 }, { type: 'stream_event' }));
  expect(worker.posts).toMatchObject([{ url: 'http://h/v1/session_ingress/session/s/events' }]);
  const uuid = expect.any(String);
  expect(worker.posts[0]?.body).toEqual({
    events: [
      { type: 'assistant', n: 1, uuid },
      { type: 'stream_event', uuid },
    ],
  });
  const viewer = hybrid(VIEWER);
  await viewer.side.send(encodeBatch({ type: 'user', n: 1 }));
  expect(viewer.posts).toMatchObject([{ url: 'http://h/v1/code/sessions/s/events' }]);
  expect(viewer.posts[0]?.body).toEqual({ session_id: 's', events: [{ payload: { type: 'user', n: 1, uuid } }] });
});

verifies(
  ['EVS-50', 'WSK-58'],
  'a POST without an answer is repeated under the same uuids, without the events that the server does not know again',
  async () => {
    const { side, posts } = hybrid(WORKER, [new TypeError('terminated'), 503]);
    await side.send(encodeBatch({ type: 'stream_event' }, { type: 'assistant' }));
    expect(posts.map(({ events }) => events.map(({ type }) => type))).toEqual([
      ['stream_event', 'assistant'],
      ['assistant'],
      ['assistant'],
    ]);
    expect(new Set(posts.map(({ events }) => events.at(-1)?.['uuid'])).size).toBe(1);
  },
);

verifies('ERR-12', 'a message that the server refuses for good rejects its send, and the session goes on', async () => {
  const { side, posts } = hybrid(WORKER, [413]);
  await expect(side.send(encodeBatch({ type: 'assistant' }))).rejects.toMatchObject({ code: 'rejected', status: 413 });
  await side.send(encodeBatch({ type: 'assistant' }));
  expect(posts).toHaveLength(2);
});

test('a POST that can never succeed ends both halves with its error', async () => {
  const { side, far } = hybrid(WORKER, [409]);
  await expect(side.send(encodeBatch({ type: 'assistant' }))).rejects.toMatchObject({ code: 'rejected', status: 409 });
  expect(await side.closed).toMatchObject({ by: 'link', error: { code: 'rejected', status: 409 } });
  await far.closed;
});

test('the end of the reading half ends the side, clean or with its error', async () => {
  const clean = hybrid(WORKER);
  await clean.side.opened;
  await clean.far.close();
  expect(await clean.side.closed).toEqual({ by: 'peer' });
  const broken = hybrid(WORKER);
  await broken.side.opened;
  broken.far.abort(new TransportError('lost', 'gone'));
  expect((await broken.side.closed).by).not.toBe('local');
});

test('an abort ends a send that waits for the server, and releases the reading half', async () => {
  const { side, far } = hybrid(
    WORKER,
    Array.from({ length: 1000 }, () => 503),
  );
  const sending = side.send(encodeBatch({ type: 'assistant' }));
  const reason = new Error('enough');
  side.abort(reason);
  await expect(sending).rejects.toMatchObject({ code: 'aborted', cause: reason });
  await Promise.all([side.closed, far.closed]);
});

test('what the reading half brings it waits for its reader', async () => {
  const { host: far, agent: near } = createMemoryPair();
  const side = createHybridTransport(WORKER, () => near, { fetch: vi.fn(), maxIncomingBytes: 10 });
  onTestFinished(() => side.abort());
  await side.opened;
  const pull = vi.spyOn(near.incoming, Symbol.asyncIterator);
  for (let n = 0; n < 5; n++) await far.send(encodeBatch({ type: 'user', n, padding: 'x'.repeat(100) }));
  expect(pull).not.toHaveBeenCalled();
  const { numbers } = readAll(side);
  await vi.waitFor(() => expect(numbers()).toEqual([0, 1, 2, 3, 4]));
});
