import type { Fetch } from '../http.ts';
import { undiciFetch } from './undici-fetch.ts';

/** How requests are made by default on Node: over connections that are used again, and through the proxies of the environment. */
export function platformFetch(): Fetch | undefined {
  return undiciFetch();
}
