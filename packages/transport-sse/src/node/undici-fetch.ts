import type { Fetch } from '../http.ts';

/**
 * A `fetch` with connections of its own, which are used again and closed when idle. An event stream may be silent in it for as long
 * as its reader allows. Loads `undici` at the first request, and is the `fetch` of Node where that is not installed.
 */
export function undiciFetch(): Fetch {
  let loading: Promise<Fetch> | undefined;
  return async (url, request) => (await (loading ??= load()))(url, request);
}

async function load(): Promise<Fetch> {
  const undici = await import('undici').catch(() => undefined);
  if (undici === undefined) return fetch;
  // Timeouts are the transport's: a stream that says something is not cut for its age, and one that does not is noticed by its reader.
  const dispatcher = new undici.Agent({ bodyTimeout: 0, headersTimeout: 0, keepAliveTimeout: 10_000 });
  return (url, request) => undici.fetch(url, { ...request, dispatcher });
}
