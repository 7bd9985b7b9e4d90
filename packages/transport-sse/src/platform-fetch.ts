import type { Fetch } from './http.ts';

/** How requests are made by default: with the `fetch` of the platform. On Node, `#fetch` is `node/platform-fetch.ts` instead. */
export function platformFetch(): Fetch | undefined {
  return undefined;
}
