/**
 * What to do after an answer:
 * - `done`: it worked
 * - `end`: the session is over and read to its end; nothing failed
 * - `retry`: again, with growing delays
 * - `refresh`: a new credential and at once again; refused again, or without a way to get one: `retry` and `permanent`
 * - `refused`: the message will never be taken; others may be
 * - `permanent`: never again
 */
export type RetryClass = 'done' | 'end' | 'retry' | 'refresh' | 'refused' | 'permanent';

// What comes and goes: timeouts, replays too early, too many requests. So does everything from 500 on.
const PASSING = [408, 425, 429];

/** What the status of an event stream means. */
export function classOfStream(status: number): RetryClass {
  if (status === 200) return 'done';
  if (status === 410) return 'end';
  return status === 204 ? 'retry' : (common(status) ?? 'permanent');
}

/** What the status of a posted message means. */
export function classOfPost(status: number): RetryClass {
  if (status >= 200 && status < 300) return 'done';
  return status === 404 ? 'permanent' : (common(status) ?? 'refused');
}

function common(status: number): RetryClass | undefined {
  if (status === 401) return 'refresh';
  if (PASSING.includes(status) || status >= 500) return 'retry';
  // A redirect is not followed: headers and messages would go to an address that nobody gave. In browsers it has the status 0.
  return status < 400 ? 'permanent' : undefined;
}
