import type { Fetch } from '../http.ts';
import { dispatchRequest } from './dispatch-request.ts';
import { environmentProxies } from './environment-proxies.ts';

/**
 * A `fetch` with connections of its own, which are used again and closed when idle; an event stream may be silent in it for as long as its
 * reader allows. It goes through the proxies that `HTTPS_PROXY` and `HTTP_PROXY` name, in either case, but for hosts that `NO_PROXY`
 * lists and for this machine. Loads `undici` at the first request, and is the `fetch` of Node, which knows no proxies, where that is
 * not installed.
 */
export function undiciFetch(): Fetch {
  let loading: Promise<Fetch> | undefined;
  return async (url, request) => (await (loading ??= load()))(url, request);
}

async function load(): Promise<Fetch> {
  const loaded = await import('undici').catch(() => undefined);
  if (loaded === undefined) return fetch;
  // It is CommonJS: in a bundle all it exports may be the default.
  const undici = 'Agent' in loaded ? loaded : (loaded as { readonly default: typeof import('undici') }).default;
  // Timeouts are the transport's: a stream that says something is not cut for its age, and one that does not is noticed by its reader.
  const timeouts = { bodyTimeout: 0, headersTimeout: 0, keepAliveTimeout: 10_000 };
  const proxies = environmentProxies(process.env);
  const direct = new undici.Agent(timeouts);
  const proxied = new undici.EnvHttpProxyAgent({ ...timeouts, ...proxies });
  return (url, request) => {
    // The agent would ask the proxy for `http:` where there is none for `https:`.
    const proxy = url.startsWith('https:') ? proxies.httpsProxy : proxies.httpProxy;
    return dispatchRequest(proxy === '' ? direct : proxied, url, request);
  };
}
