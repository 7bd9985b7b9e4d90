import type { Fetch } from './http.ts';

/** On Node, `#fetch` resolves to `node/platform-fetch.ts` instead. */
export function platformFetch(): Fetch | undefined {
  return undefined;
}
