import { defineTransport, type ResumableTransport, type WorkerTransport } from '@proto/core/transport';
import { type SseWorkerOptions, WorkerDriver } from './worker-driver.ts';

/**
 * The worker of a remote session: what viewers send comes over an event stream that is opened again and goes on where it broke, what the
 * agent says is posted, each message until it is taken. Its `worker` has the other duties.
 */
export function createSseWorkerTransport(options: SseWorkerOptions): WorkerTransport & ResumableTransport {
  return defineTransport('sse', (control) => new WorkerDriver(control, options), { ...options, identifies: true });
}
