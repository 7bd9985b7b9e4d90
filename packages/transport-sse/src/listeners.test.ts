import { getEventListeners } from 'node:events';
import { encodeBatch } from '@proto/core/transport';
import { expect, test } from 'vitest';
import { FakeSession } from './fake-session.test-support.ts';
import type { Fetch } from './http.ts';
import { follow } from './viewer.test-support.ts';
import { FakeWorkerSession } from './worker/fake-worker-session.test-support.ts';
import { attach } from './worker/worker.test-support.ts';

/** A `fetch` that keeps a listener on each signal, as that of Node may do, and the highest number of listeners. */
function listening(session: FakeSession) {
  const signals = new Set<AbortSignal>();
  const seen = { most: 0 };
  const fetch: Fetch = (url, request) => {
    request.signal.addEventListener('abort', () => {});
    signals.add(request.signal);
    for (const signal of signals) seen.most = Math.max(seen.most, getEventListeners(signal, 'abort').length);
    return session.fetch(url, request);
  };
  return { fetch, seen };
}

/** Refuses every other request for a URL, so that each request is made twice, with a new credential. */
function refusing(session: FakeSession): void {
  const refused = new Set<string>();
  session.fate = (_, url) => {
    if (refused.delete(url)) return 'served';
    refused.add(url);
    return { status: 401 };
  };
}

// Node warns about more than ten listeners.
test.each([
  ['viewer', new FakeSession(), follow],
  ['worker', Object.assign(new FakeWorkerSession(), { epoch: 1 }), attach],
] as const)('no signal of a %s has more than ten listeners', async (_, session, open) => {
  const { fetch, seen } = listening(session);
  refusing(session);
  let issued = 0;
  const options = { fetch, credential: () => ({ token: `token-${++issued}`, epoch: 1 }) };
  const { transport, clock } = (open as typeof follow)(options, session);
  let sent = 0;
  for (let n = 0; n < 40; n++)
    transport.send(encodeBatch({ type: 'x', n })).then(
      () => sent++,
      () => {},
    );
  await clock.until(() => sent === 40, 'all messages are sent');
  expect(seen.most).toBeLessThanOrEqual(10);
  transport.abort();
});
