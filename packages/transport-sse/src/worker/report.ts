import type { RetriedRequest } from '../request-retries.ts';
import type { Recipient } from '../requests.ts';
import { meaningOfReport } from '../retry-policy.ts';

/** What a report may take until it is answered, in milliseconds, where it says nothing else. */
const TIMEOUT_MS = 10_000;

/** How a report is made. */
interface ReportOptions {
  readonly method?: 'POST' | 'PUT';
  readonly timeoutMs?: number;
}

/** What a worker tells the server, under its epoch; the members are JSON text without braces, made for each attempt. */
export function report(
  path: string,
  members: (to: Recipient) => string,
  { method = 'POST', timeoutMs = TIMEOUT_MS }: ReportOptions = {},
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
