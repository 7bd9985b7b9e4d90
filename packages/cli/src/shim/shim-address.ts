import { parseSessionAddress, type SessionAddress } from '@proto/remote';

/** Where the agent of a shim is: a session of a server, or what answers on a WebSocket. */
export type ShimAddress =
  | ({ readonly kind: 'sessions' } & SessionAddress)
  | { readonly kind: 'socket'; readonly url: string; readonly hostname: string };

/**
 * Reads `SJP_SHIM_URL`: `https://HOST/v1` or `wss://HOST/v1` is a server of sessions, with or without the session behind it; any other
 * `ws:` or `wss:` address an agent of its own. Throws for anything else, without the address.
 */
export function parseShimAddress(text: string): ShimAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSocket = url !== undefined && /^wss?:$/.test(url.protocol);
  if (isSocket && !/\/v1(?:\/|$)/.test(url.pathname)) {
    if (url.username !== '' || url.password !== '') throw new Error('a URL is no place for a secret');
    return { kind: 'socket', url: text, hostname: url.hostname };
  }
  return { kind: 'sessions', ...parseSessionAddress(text.replace(/\/v1\/?$/, '')) };
}
