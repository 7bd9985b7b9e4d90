import type { Fetch } from './http.ts';

/** Returns the default `fetch`: the `fetch` of the platform. On Node, `#fetch` resolves to `node/platform-fetch.ts` instead. */
export function platformFetch(): Fetch | undefined {
  return undefined;
}
