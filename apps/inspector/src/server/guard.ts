const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];

/** Why a request is refused before it is handled. */
export interface GuardRefusal {
  readonly status: 403;
  readonly code: 'host' | 'origin';
  readonly message: string;
}

/**
 * Refuses a request whose `Host` is not a loopback name (DNS rebinding), and a request from a foreign page, which has a different `Origin`, or a
 * `Sec-Fetch-Site` that indicates a different site or port.
 */
export function guardLoopback(headers: Headers): GuardRefusal | undefined {
  const host = (headers.get('host') ?? '').toLowerCase();
  if (!LOOPBACK_HOSTS.includes(host.replace(/:\d{1,5}$/, ''))) {
    return { status: 403, code: 'host', message: 'the server does not accept the host name in the request' };
  }
  return guardOrigin(headers);
}

/** Refuses requests from foreign pages. Check the host of the request before you call this. */
export function guardOrigin(headers: Headers): GuardRefusal | undefined {
  const host = (headers.get('host') ?? '').toLowerCase();
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site');
  const isOwn = origin === null || origin === `http://${host}` || origin === `https://${host}`;
  // A page on another port of this machine belongs to the same site, and its requests include the cookie.
  if (isOwn && (site === null || site === 'same-origin' || site === 'none')) return undefined;
  return { status: 403, code: 'origin', message: 'web pages of this origin are not allowed to use this server' };
}
