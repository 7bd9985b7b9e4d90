import { request, type RequestOptions } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { connect as secure } from 'node:tls';

/** The function that `http.request` calls to open a connection. */
export type CreateConnection = (
  options: RequestOptions,
  onConnection: (error: Error | null, socket?: Socket) => void,
) => undefined;

// The same as the default of `connectTimeoutMs`.
const TIMEOUT_MS = 15_000;

/**
 * Uses `HTTPS_PROXY` for `wss:`, `HTTP_PROXY` for `ws:`, in upper or lower case. Returns `undefined` for hosts and domains listed in `NO_PROXY`, and
 * for this machine.
 */
export function proxyFor(address: URL, env: Readonly<Record<string, string | undefined>>): URL | undefined {
  const read = (name: string) => env[name] ?? env[name.toUpperCase()] ?? '';
  const isSecure = address.protocol === 'wss:';
  const proxy = read(isSecure ? 'https_proxy' : 'http_proxy');
  const host = address.hostname.replace(/^\[|\]$/g, '');
  if (proxy === '' || /^(localhost|127\..*|::1)$/.test(host)) return undefined;
  const port = address.port || (isSecure ? '443' : '80');
  const isExcluded = read('no_proxy')
    .split(/[\s,]+/)
    .some((entry) => entry === '*' || entry === host || covers(entry, host, port));
  return isExcluded ? undefined : parseProxy(proxy);
}

// The error has no cause, because a cause would quote the password.
function parseProxy(proxy: string): URL {
  const uri = proxy.includes('://') ? proxy : `http://${proxy}`;
  if (!URL.canParse(uri)) throw new TypeError('the proxy URL in HTTP_PROXY or HTTPS_PROXY is invalid');
  return new URL(uri);
}

function covers(entry: string, host: string, port: string): boolean {
  const [, name = '', only = port] = /^(?:\*?\.)?([^:]*)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  return name !== '' && only === port && `.${host}`.endsWith(`.${name}`);
}

/** The proxy's user and password are sent only to the proxy. */
export function tunnelThrough(proxy: URL, isSecure: boolean): CreateConnection {
  return (options, onConnection) => {
    const { host, port } = options;
    const target = `${isIP(String(host)) === 6 ? `[${host}]` : host}:${port}`;
    const user = [proxy.username, proxy.password].map(decodeURIComponent).join(':');
    const connecting = (proxy.protocol === 'https:' ? secureRequest : request)({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || undefined,
      method: 'CONNECT',
      path: target,
      agent: false,
      timeout: TIMEOUT_MS,
      headers: {
        Host: target,
        ...(user !== ':' && { 'Proxy-Authorization': `Basic ${Buffer.from(user).toString('base64')}` }),
      },
    });
    connecting.once('timeout', () => connecting.destroy(new Error('the proxy did not answer in time')));
    connecting.once('error', onConnection);
    connecting.once('connect', ({ statusCode }, socket) => {
      if (statusCode !== 200) {
        socket.destroy();
        return onConnection(new Error(`the proxy answered with status ${statusCode}`));
      }
      socket.setTimeout(0);
      const servername = isIP(String(host)) === 0 ? { servername: String(host) } : {};
      onConnection(null, isSecure ? secure({ socket, host: String(host), ...servername }) : socket);
    });
    connecting.end();
    return undefined;
  };
}
