/** Proxies as an `EnvHttpProxyAgent` takes them; empty where there is none. */
export interface EnvironmentProxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

// Nobody means a proxy to be asked for these.
const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

/** The proxies an environment names. One without a scheme is of `http:`. Throws a `TypeError`, without it, for one that is no URL then. */
export function environmentProxies(env: Readonly<Record<string, string | undefined>>): EnvironmentProxies {
  const read = (name: string) => env[name] ?? env[name.toUpperCase()] ?? '';
  const uriOf = (proxy: string) => {
    const uri = proxy === '' || proxy.includes('://') ? proxy : `http://${proxy}`;
    // The error of who is given it would quote its password.
    if (uri !== '' && !URL.canParse(uri)) throw new TypeError('the proxy that the environment names is no URL');
    return uri;
  };
  const excluded = read('no_proxy');
  return {
    httpProxy: uriOf(read('http_proxy')),
    httpsProxy: uriOf(read('https_proxy')),
    // A star counts when it stands alone.
    noProxy: /(?:^|[\s,])\*(?:[\s,]|$)/.test(excluded) ? '*' : [excluded, ...THIS_MACHINE].join(),
  };
}
