import type { Fetch } from '../http.ts';
import { undiciFetch } from './undici-fetch.ts';

/** How requests are made by default on Node: over reused connections, and through the proxies set in environment variables. */
export function platformFetch(): Fetch | undefined {
  return undiciFetch();
}
