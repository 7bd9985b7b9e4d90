/** Which credentials a worker asks for, of a server in this process. */
import { encodeBatch } from '@proto/core/transport';
import { WorkerConflictError } from '@proto/transport-sse';
import { expect, onTestFinished, test } from 'vitest';
import { attachWorker } from './attach-worker.ts';

const URL_OF_SESSION = 'http://127.0.0.1/v1/code/sessions/cse_1';
/** A token of one minute counts as expiring from its first moment on, so every request of the worker renews it. */
const EXPIRES_IN = 60;

/** A server of one session. `renew` answers a renewal. */
function start(renew: (token: unknown, epoch: unknown) => Response) {
  const asked: string[] = [];
  let epoch = 0;
  const given = (token: string) => Response.json({ worker_jwt: token, expires_in: EXPIRES_IN, worker_epoch: epoch });
  const answer = async (request: Request): Promise<Response> => {
    const path = request.url.slice(URL_OF_SESSION.length);
    if (!path.startsWith('/bridge')) return answerOfSession(request, path);
    asked.push(path);
    const body = (await request.json()) as Readonly<Record<string, unknown>>;
    if (path === '/bridge/renew') return renew(body['worker_jwt'], body['worker_epoch']);
    return given(`token-${++epoch}`);
  };
  const transport = attachWorker({ url: URL_OF_SESSION, token: 'token-of-a-driver', fetch: answer });
  onTestFinished(() => transport.abort());
  return { transport, asked, given };
}

function answerOfSession({ method, signal }: Request, path: string): Response {
  if (path === '/worker' && method === 'GET') return Response.json({ worker: {} });
  if (path !== '/worker/events/stream') return Response.json({ results: [{ event_id: '1', duplicate: false }] });
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(': keepalive\n\n'));
      signal.addEventListener('abort', () => controller.error(signal.reason));
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

const message = encodeBatch({ type: 'system', subtype: 'status', uuid: '1' });

test('a token is renewed with the proof of the lease, and the lease is claimed once', async () => {
  const renewals: unknown[] = [];
  const { transport, asked, given } = start((token, epoch) => {
    renewals.push([token, epoch]);
    return given(`renewed-${renewals.length}`);
  });
  await transport.opened;
  await transport.send(message);
  await transport.flush();
  expect(asked.filter((path) => path === '/bridge')).toHaveLength(1);
  expect(renewals.slice(0, 2)).toEqual([
    ['token-1', 1],
    ['renewed-1', 1],
  ]);
});

test.each([400, 404, 405])('a server that answers a renewal with %i is asked for the lease again', async (status) => {
  const { transport, asked } = start(() => new Response(null, { status }));
  await transport.opened;
  await transport.send(message);
  await transport.flush();
  expect(asked.slice(0, 3)).toEqual(['/bridge', '/bridge/renew', '/bridge']);
});

test('a superseded worker ends, and does not claim the lease again', async () => {
  const headers = { 'x-ccr-conflict-reason': 'superseded_by_worker' };
  const { transport, asked } = start(() => new Response(null, { status: 409, headers }));
  transport.opened.catch(() => {});
  const { error } = await transport.closed;
  expect(WorkerConflictError.find(error)?.reason).toBe('superseded_by_worker');
  expect(asked).toEqual(['/bridge', '/bridge/renew']);
});
