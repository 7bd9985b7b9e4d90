/** A request to forward to the API, in the form that `fetch` accepts. */
export interface ApiCall {
  /** The HTTP method, in upper case. Default `GET`, as for `fetch`. */
  readonly method?: string;
  /** The agent's headers, without headers that concern only the agent's connection. */
  readonly headers?: [string, string][];
  /** The body as text. Absent for `GET` and `HEAD`. */
  readonly body?: string;
  /** Aborts when the agent disconnects. */
  readonly signal?: AbortSignal;
}

/** Forwards a request to the API, like `fetch`. */
export type ApiFetch = (url: string, request: ApiCall) => Promise<Response>;

/**
 * Creates a `fetch` for the API. Requests use the proxies that are set in `HTTPS_PROXY` and `HTTP_PROXY`, except requests to this machine and to the
 * hosts in `NO_PROXY`. Responses have no time limit.
 * @throws {TypeError} if a proxy is not a URL. The message does not quote the proxy.
 */
export async function apiFetch(env: Readonly<Record<string, string | undefined>>): Promise<ApiFetch> {
  const loaded = await import('undici');
  // undici is CommonJS: in a bundle, all of its exports may be members of the default export.
  const undici = 'Agent' in loaded ? loaded : (loaded as { readonly default: typeof import('undici') }).default;
  const read = (name: string) => env[name] ?? env[name.toUpperCase()] ?? '';
  const uriOf = (proxy: string) => {
    const uri = proxy === '' || proxy.includes('://') ? proxy : `http://${proxy}`;
    // undici's own error message would quote the password in the URL.
    if (uri !== '' && !URL.canParse(uri))
      throw new TypeError('the proxy set in the environment variables is not a URL');
    return uri;
  };
  const proxies = { httpProxy: uriOf(read('http_proxy')), httpsProxy: uriOf(read('https_proxy')) };
  const timeouts = { bodyTimeout: 0, headersTimeout: 0 };
  const direct = new undici.Agent(timeouts);
  const proxied = new undici.EnvHttpProxyAgent({ ...timeouts, ...proxies, noProxy: withThisMachine(read('no_proxy')) });
  return async (url, request) => {
    // If no proxy for `https:` is set, undici would use the proxy for `http:`.
    const isDirect = (url.startsWith('https:') ? proxies.httpsProxy : proxies.httpProxy) === '';
    const dispatcher = isDirect ? direct : proxied;
    // The types of undici and of the platform differ in details.
    const answer: unknown = await undici.fetch(url, { ...request, dispatcher });
    return answer as Response;
  };
}

const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

export function withThisMachine(noProxy: string): string {
  // A single star in the list means every host.
  return /(?:^|[\s,])\*(?:[\s,]|$)/.test(noProxy)
    ? '*'
    : [...(noProxy === '' ? [] : [noProxy]), ...THIS_MACHINE].join();
}
