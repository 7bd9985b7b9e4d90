import type { WorkerLink } from './worker-state.ts';
import type { WorkerTransport } from '@proto/core/transport';
import { FakeClock } from '../fake-clock.test-support.ts';
import { type Read, readAll } from '../read-all.test-support.ts';
import { URL_OF_SESSION } from '../viewer.test-support.ts';
import { FakeWorkerSession } from './fake-worker-session.test-support.ts';
import type { SseWorkerOptions } from './worker-transport.ts';
import { createSseWorkerTransport } from './worker-transport.ts';

export interface AttachedWorker extends Read {
  readonly transport: WorkerTransport;
  readonly worker: WorkerLink;
  readonly session: FakeWorkerSession;
  readonly clock: FakeClock;
}

export function attach(
  options: Partial<SseWorkerOptions> = {},
  session = new FakeWorkerSession(),
  clock = new FakeClock(),
): AttachedWorker {
  const transport = createSseWorkerTransport({
    url: URL_OF_SESSION,
    fetch: session.fetch,
    clock,
    random: () => 0.5,
    ...options,
  });
  return { transport, worker: transport.worker, session, clock, ...readAll(transport) };
}
