import { TransportError } from '@proto/core/transport';
import type { SessionState } from './session-tracker.ts';

/** Whether the last result has told of this error: an executable that ends its last turn with an error leaves with 1. */
export function isToldByResult(error: unknown, { last }: SessionState): boolean {
  return last?.result['is_error'] === true && TransportError.is(error) && error.status === 1;
}

/** How many prompts have no result and get none, where the agent ends now. */
export function promptsLeft({ prompts, results, last }: SessionState): number {
  // An agent whose results name no prompts may have answered several with one.
  return results === 0 || last?.result['user_message_uuid'] !== undefined ? prompts.length : 0;
}
