import type { Fetch } from './http.ts';

/** How requests are made by default: with the platform's `fetch`. On Node, `#fetch` resolves to `node/platform-fetch.ts` instead. */
export function platformFetch(): Fetch | undefined {
  return undefined;
}
