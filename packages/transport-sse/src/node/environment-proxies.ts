/** Proxies as an `EnvHttpProxyAgent` takes them; empty where there is none. */
export interface EnvironmentProxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

// Nobody means a proxy to be asked for these.
const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

/** The proxies an environment names. One that is no URL is an address of the scheme `http:`. */
export function environmentProxies(env: Readonly<Record<string, string | undefined>>): EnvironmentProxies {
  const read = (name: string) => env[name] ?? env[name.toUpperCase()] ?? '';
  const uriOf = (proxy: string) => (proxy === '' || proxy.includes('://') ? proxy : `http://${proxy}`);
  const excluded = read('no_proxy');
  return {
    httpProxy: uriOf(read('http_proxy')),
    httpsProxy: uriOf(read('https_proxy')),
    // A star counts when it stands alone.
    noProxy: /(?:^|[\s,])\*(?:[\s,]|$)/.test(excluded) ? '*' : [excluded, ...THIS_MACHINE].join(),
  };
}
