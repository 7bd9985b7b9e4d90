import { expect, test, vi } from 'vitest';
import { startIngress } from '../ingress.test-support.ts';
import { createMemoryEventLog } from '../log/memory-event-log.ts';

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
