import type { Fetch } from '../http.ts';
import { undiciFetch } from './undici-fetch.ts';

/** Reuses connections and uses the proxies set in environment variables. */
export function platformFetch(): Fetch | undefined {
  return undiciFetch();
}
