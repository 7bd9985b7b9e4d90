import type { Fetch } from '../http.ts';
import { dispatchRequest } from './dispatch-request.ts';

/**
 * Creates a `fetch` with a separate pool of connections, which are reused, and closed after 10 s without a request. This `fetch` has no timeout for
 * silent event streams, because the transport itself has such a timeout. Requests are sent through the proxies in `HTTPS_PROXY` and `HTTP_PROXY`, in
 * upper or lower case, except requests to this machine and to the hosts in `NO_PROXY`. `undici` is loaded at the first request. If `undici` is not
 * installed, Node's `fetch` is used, which does not support proxies. Bun has a module with this name that cannot send requests, so Bun's `fetch` is used,
 * which supports proxies itself.
 */
export function undiciFetch(): Fetch {
  let loading: Promise<Fetch> | undefined;
  return async (url, request) => (await (loading ??= load()))(url, request);
}

async function load(): Promise<Fetch> {
  const loaded = await import('undici').catch(() => undefined);
  if (loaded === undefined) return fetch;
  // undici is a CommonJS module: in a bundle, all of its exports may be members of the default export.
  const undici = 'Agent' in loaded ? loaded : (loaded as { readonly default: typeof import('undici') }).default;
  // The transport itself has timeouts for answers and for silent streams.
  const timeouts = { bodyTimeout: 0, headersTimeout: 0, keepAliveTimeout: 10_000 };
  const proxies = environmentProxies(process.env);
  const direct = new undici.Agent(timeouts);
  if (typeof (direct as { readonly dispatch?: unknown }).dispatch !== 'function') return fetch;
  const proxied = new undici.EnvHttpProxyAgent({ ...timeouts, ...proxies });
  return (url, request) => {
    // Without a proxy for `https:`, the `undici` agent would use the proxy for `http:`.
    const proxy = url.startsWith('https:') ? proxies.httpsProxy : proxies.httpProxy;
    return dispatchRequest(proxy === '' ? direct : proxied, url, request);
  };
}

/** An empty string means that no proxy is set. */
interface EnvironmentProxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

// These hosts are always reached directly.
const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Reads the proxies from environment variables. A proxy without a scheme counts as `http:`.
 * @throws {TypeError} if a proxy is not a URL. The message does not quote the proxy.
 * @internal
 */
export function environmentProxies(env: Readonly<Record<string, string | undefined>>): EnvironmentProxies {
  const read = (name: string) => env[name] ?? env[name.toUpperCase()] ?? '';
  const uriOf = (proxy: string) => {
    const uri = proxy === '' || proxy.includes('://') ? proxy : `http://${proxy}`;
    // An error from undici would quote the password in the URL.
    if (uri !== '' && !URL.canParse(uri)) throw new TypeError('the proxy URL in HTTP_PROXY or HTTPS_PROXY is invalid');
    return uri;
  };
  const excluded = read('no_proxy');
  return {
    httpProxy: uriOf(read('http_proxy')),
    httpsProxy: uriOf(read('https_proxy')),
    // A single star in the list of hosts means every host.
    noProxy: /(?:^|[\s,])\*(?:[\s,]|$)/.test(excluded) ? '*' : [excluded, ...THIS_MACHINE].join(),
  };
}
