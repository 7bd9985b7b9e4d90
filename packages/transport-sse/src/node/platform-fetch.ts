import type { Fetch } from '../http.ts';
import { undiciFetch } from './undici-fetch.ts';

/** Returns the default `fetch` on Node, which reuses connections and uses the proxies set in environment variables. */
export function platformFetch(): Fetch | undefined {
  return undiciFetch();
}
