import { parseAddress } from '@proto/core/network';
import { TransportError } from '@proto/core/transport';

export interface PostAddress {
  /** The base address, with the query of the socket's address. `/events` is appended to the path of this address. */
  readonly url: string;
  /** True if the client is a viewer of the session, false if the client is its worker. */
  readonly isViewer: boolean;
}

const VIEWER = /^(.*)\/v1\/sessions\/ws\/([^/]+)\/subscribe\/*$/;
const WORKER = /^(.*)\/ws\/([^/]+)\/*$/;

/**
 * For a worker, `/ws/` becomes `/session/`, as in published workers. A viewer posts to the same address as with event streams.
 *
 * @throws {TransportError} for an address that is not `ws:` or `wss:`, contains a user or a password, or has any other path
 */
export function postAddressOf(socket: string): PostAddress {
  const { protocol, host, pathname, search } = parseAddress(socket, ['wss:', 'ws:']);
  const origin = `${protocol === 'ws:' ? 'http' : 'https'}://${host}`;
  const [, base, viewed] = VIEWER.exec(pathname) ?? [];
  if (viewed !== undefined) return { url: `${origin}${base}/v1/code/sessions/${viewed}${search}`, isViewer: true };
  const [, before, worked] = WORKER.exec(pathname) ?? [];
  if (worked !== undefined) return { url: `${origin}${before}/session/${worked}${search}`, isViewer: false };
  // The message does not quote the address, because the address may contain a secret.
  const text =
    'hybrid: the address for posts cannot be derived from this address, because its path does not contain /ws/ID: give an address that contains /ws/ID';
  throw new TransportError('connect-failed', text, { retryable: false });
}
