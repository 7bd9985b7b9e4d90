import type { RequestRetries } from '../request-retries.ts';
import { Outbox } from './outbox.ts';
import { report } from './report.ts';

/** How many marks of deliveries wait for a server that takes none: 100 000. Of more the oldest are dropped. */
export const DEFAULT_MAX_WAITING_REPORTS = 100_000;

const MAX_UPDATES = 64;

/** How far a worker is with an event that it was sent. */
export interface DeliveryUpdate {
  readonly event_id: string;
  readonly status: 'received' | 'processing' | 'processed';
}

/** Makes what tells viewers how far the worker is with what they sent. */
export function createDeliveryReports(retries: RequestRetries): Outbox<DeliveryUpdate> {
  return new Outbox({
    retries,
    maxWaiting: DEFAULT_MAX_WAITING_REPORTS,
    next: ({ length }) => Math.min(length, MAX_UPDATES),
    request: (updates) => report('/worker/events/delivery', () => `"updates":${JSON.stringify(updates)}`),
  });
}
