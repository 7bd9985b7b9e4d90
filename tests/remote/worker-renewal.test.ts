/** Our worker renews its token and keeps its lease under the same epoch. */
import { encodeBatch } from '@proto/core/transport';
import { createMemoryEventLog, type ListenOptions } from '@proto/ingress';
import { verifies } from '@proto/test-support/verifies';
import { WorkerConflictError } from '@proto/transport-sse';
import { attachWorker } from '@proto/remote/worker';
import { expect, onTestFinished } from 'vitest';
import { credentials, newSession, startIngress, TOKENS } from './remote-session.ts';

/** A token of one minute counts as expiring from its first moment on, so every request renews it. */
const ONE_MINUTE = { limits: { workerTokenMs: 60_000 } };

/** Starts a worker of a session, and records the credential requests that it makes. */
async function attach(options: Partial<ListenOptions>) {
  const server = await startIngress(createMemoryEventLog(), 0, options);
  onTestFinished(() => server.close());
  const id = await newSession(server.url);
  const url = `${server.url}/v1/code/sessions/${id}`;
  const asked: string[] = [];
  const transport = attachWorker({
    url,
    token: TOKENS.driver,
    fetch: (request) => {
      const path = request.url.slice(url.length);
      if (path.startsWith('/bridge')) asked.push(path);
      return fetch(request);
    },
  });
  onTestFinished(() => transport.abort());
  const state = async () => {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${TOKENS.driver}` } });
    return ((await answer.json()) as { session: Record<string, unknown> }).session;
  };
  await transport.opened;
  return { transport, asked, state, server, id };
}

const message = (n: number) => encodeBatch({ type: 'system', subtype: 'status', uuid: `message-${n}` });

verifies('WRK-19', 'a worker renews its token many times and keeps its epoch', async () => {
  const { transport, asked, state } = await attach(ONE_MINUTE);
  for (let n = 0; n < 3; n++) await transport.send(message(n));
  await transport.flush();
  expect(asked[0]).toBe('/bridge');
  expect(asked.length).toBeGreaterThan(3);
  expect(new Set(asked.slice(1))).toEqual(new Set(['/bridge/renew']));
  expect(await state()).toMatchObject({ worker_epoch: 1 });
});

verifies('WRK-11', 'a superseded worker does not claim the lease again by renewing its token', async () => {
  const { transport, asked, state, server, id } = await attach(ONE_MINUTE);
  await credentials(server.url, id);
  const { error } = await transport.closed;
  expect(WorkerConflictError.find(error)?.reason).toBe('superseded_by_worker');
  expect(asked.filter((path) => path === '/bridge')).toHaveLength(1);
  expect(await state()).toMatchObject({ worker_epoch: 2 });
});
