import { expect, test, vi } from 'vitest';
import { startIngress } from '../ingress.test-support.ts';
import { createMemoryEventLog } from '../log/memory-event-log.ts';
import { WorkerTokens } from './worker-tokens.ts';

test('the signing key is imported once for all requests, and worker tokens stay valid after a restart', async () => {
  const log = createMemoryEventLog();
  const imported = vi.spyOn(crypto.subtle, 'importKey');
  const { newSession } = await startIngress({ log });
  const session = await newSession();
  const { worker, token, epoch } = await session.claimLease();
  for (let n = 0; n < 5; n++) expect((await worker('/heartbeat', {})).status).toBe(200);
  expect(imported).toHaveBeenCalledTimes(1);
  imported.mockRestore();
  const later = await startIngress({ log });
  const beat = { token, json: { worker_epoch: epoch } };
  expect((await later.call(`${session.base}/worker/heartbeat`, beat)).status).toBe(200);
});

test('a secret that could not be read is read again for the next request', async () => {
  const log = createMemoryEventLog();
  const read = vi.spyOn(log, 'readDocument').mockRejectedValueOnce(new Error('not now'));
  const { call } = await startIngress({ log });
  const ask = () => call('/v1/code/sessions/cse_x/worker/heartbeat', { token: 'no-token-of-a-worker', json: {} });
  expect([(await ask()).status, (await ask()).status]).toEqual([500, 401]);
  expect(read).toHaveBeenCalledTimes(2);
});

test('a signature is verified once; the expiry and the lease are checked each time', async () => {
  let time = Date.now();
  const { newSession } = await startIngress({ now: () => time, limits: { workerTokenMs: 10_000 } });
  const session = await newSession();
  const first = await session.claimLease();
  const verified = vi.spyOn(crypto.subtle, 'verify');
  for (let n = 0; n < 5; n++) expect((await first.worker('/heartbeat', {})).status).toBe(200);
  expect(verified).toHaveBeenCalledTimes(1);
  verified.mockRestore();
  const next = await session.claimLease();
  expect((await first.worker('/heartbeat', {})).status).toBe(409);
  expect((await next.worker('/heartbeat', {})).status).toBe(200);
  time += 10_001;
  expect((await next.worker('/heartbeat', {})).status).toBe(401);
  expect((await next.worker('/heartbeat', {})).status).toBe(401);
});

test('of very many tokens only the latest are remembered, and all stay valid', async () => {
  const log = createMemoryEventLog();
  const tokens = new WorkerTokens({ log, secret: 's'.repeat(32), lifetimeMs: 10_000, now: () => 0, maxVerified: 2 });
  const minted = await Promise.all(['a', 'b', 'c'].map((id) => tokens.mint({ session: 's', id })));
  const verified = vi.spyOn(crypto.subtle, 'verify');
  for (const token of [...minted, ...minted.slice(1), minted[0] as string]) {
    expect(await tokens.verify(token)).toMatchObject({ session: 's' });
  }
  expect(verified).toHaveBeenCalledTimes(4);
  verified.mockRestore();
});
