import { EventLogError } from '../log/event-log-error.ts';
import { Refusal, unavailable } from './refusal.ts';

/** What a client is answered for whatever was thrown; `onError` is told what went wrong within the server. */
export function answerToError(error: unknown, onError: (error: unknown) => void): Response {
  if (error instanceof Refusal) return error.response();
  onError(error);
  if (!EventLogError.is(error)) return new Refusal(500, 'api_error', 'internal error').response();
  const full = error.code === 'full';
  return unavailable(full ? 'storage_full' : 'storage_failed', 'nothing was stored').response();
}

/** What is refused because it is drained. */
export function draining(): Refusal {
  return unavailable('draining', 'the server is going down');
}
