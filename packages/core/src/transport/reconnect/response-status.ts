/**
 * What to do after an answer or the end of a link:
 * - `done`: the attempt succeeded
 * - `end`: the other side has finished, and nothing failed
 * - `retry`: try again, after a delay that grows
 * - `refresh`: the credential was refused. Get a new credential and try again at once
 * - `refused`: the server will never accept this message, but may accept other messages
 * - `permanent`: never try again
 */
export type RetryAction = 'done' | 'end' | 'retry' | 'refresh' | 'refused' | 'permanent';

/** The meaning of an HTTP status or a close code for a client that can try again. */
export interface RetryMeaning {
  /** What the client should do next. */
  readonly action: RetryAction;
  /** The meaning of a status or code that ends a link or refuses an attempt, as text for people. */
  readonly hint?: string;
  /** Only for `refresh`: what to do if the new credential is also refused. Default `retry`. */
  readonly otherwise?: 'retry' | 'permanent';
}

const PASSES: RetryMeaning = { action: 'retry', hint: 'the server cannot answer at the moment' };
const REFUSED: RetryMeaning = { action: 'permanent', hint: 'the server refuses the request' };

const statuses: Readonly<Record<number, RetryMeaning>> = {
  401: { action: 'refresh', hint: 'the credential is refused' },
  403: { action: 'permanent', hint: 'the credential does not allow this' },
  404: { action: 'permanent', hint: 'no such session' },
  408: PASSES,
  409: { action: 'permanent', hint: 'another connection took over' },
  425: PASSES,
  429: { action: 'retry', hint: 'the server is receiving too many requests' },
};

/**
 * Returns the meaning of an HTTP status for a client that tried to open a link. Statuses of 500 and above are temporary. A redirect is permanent. The
 * client does not follow it, because credentials and messages would be sent to an address that the caller did not provide.
 */
export function meaningOfStatus(status: number): RetryMeaning {
  return statuses[status] ?? (status < 500 ? REFUSED : PASSES);
}

const MAX_RETRY_AFTER_MS = 300_000;

/** Reads a `Retry-After` header, which contains seconds or a date. Returns milliseconds from now, or 0 if the header is missing or cannot be read. */
export function retryAfterMs(value: string | null | undefined, now: number): number {
  if (value === null || value === undefined || value.trim() === '') return 0;
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000;
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : 0;
}
