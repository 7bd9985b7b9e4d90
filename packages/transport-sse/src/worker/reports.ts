import type { RequestRetries, RetriedRequest } from '../request-retries.ts';
import type { Recipient } from '../requests.ts';
import { meaningOfReport } from '../response-status.ts';
import { Outbox } from './outbox.ts';

/** Above this number, the oldest marks are dropped. */
const DEFAULT_MAX_WAITING_REPORTS = 100_000;

const MAX_MARKS_PER_REPORT = 64;

const DEFAULT_REPORT_TIMEOUT_MS = 10_000;

interface ReportOptions {
  readonly method?: 'POST' | 'PUT';
  readonly timeoutMs?: number;
}

/** `members` is called for each attempt, and returns JSON text without braces. */
export function report(
  path: string,
  members: (to: Recipient) => string,
  { method = 'POST', timeoutMs = DEFAULT_REPORT_TIMEOUT_MS }: ReportOptions = {},
): RetriedRequest {
  return {
    path,
    method,
    headers: { 'Content-Type': 'application/json' },
    body: (to) => `{"worker_epoch":${to.epoch},${members(to)}}`,
    timeoutMs,
    meaningOf: meaningOfReport,
  };
}

export interface DeliveryUpdate {
  readonly event_id: string;
  readonly status: 'received' | 'processing' | 'processed';
}

/** Delivery marks show viewers the worker's progress with their events. */
export function createDeliveryReports(retries: RequestRetries): Outbox<DeliveryUpdate> {
  return new Outbox({
    retries,
    maxWaiting: DEFAULT_MAX_WAITING_REPORTS,
    next: ({ length }) => Math.min(length, MAX_MARKS_PER_REPORT),
    request: (updates) => report('/worker/events/delivery', () => `"updates":${JSON.stringify(updates)}`),
  });
}
