import { requireText } from '@proto/core/internal';

/** A kind of link to a session: WebSockets, or event streams with POST requests. */
export type LinkKind = 'ws' | 'sse';

/** The address of a session server, or of one session on it. */
export interface SessionAddress {
  /** The address of the server, without a slash at its end. */
  readonly base: string;
  /** The host name of the address, without the port, which is used to look up tokens. */
  readonly hostname: string;
  /** The id of the session; absent in the address of a server. */
  readonly session?: string;
  /** The kind of link that the scheme of the address requests. */
  readonly prefer: LinkKind;
}

const SESSIONS = '/v1/code/sessions';
// Each pattern matches the part before the server's own paths, and the session id. The patterns are for event streams, for WebSockets, and for any
// other address.
const PATHS = [
  /^(.*?)\/v1\/code\/sessions(?:\/([A-Za-z0-9_-]+))?\/?$/,
  /^(.*?)\/v1\/sessions\/ws\/([A-Za-z0-9_-]+)\/subscribe$/,
  /^(.*)$/,
];

/**
 * Reads the address of a server or of one of its sessions. A `ws:` or `wss:` address requests WebSockets.
 *
 * @throws Error for any other text. Its message does not contain the text, because the text may contain a secret.
 */
export function parseSessionAddress(text: string): SessionAddress {
  const prefer = /^wss?:/i.test(text) ? 'ws' : 'sse';
  const plain = text.replace(/^sse\+/, '').replace(/^ws(s?):/i, 'http$1:');
  const url = URL.canParse(plain) ? new URL(plain) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error('the address must start with http://, https://, sse+http://, sse+https://, ws:// or wss://');
  }
  if (url.username !== '' || url.password !== '') throw new Error('do not put a secret in a URL: give --token-file');
  const { origin, hostname, pathname } = url;
  const [, before = '', session] = PATHS.map((path) => path.exec(pathname)).find((found) => found !== null) ?? [];
  return { base: `${origin}${before.replace(/\/$/, '')}`, hostname, prefer, ...(session !== undefined && { session }) };
}

/**
 * Returns the address of a session on a server.
 *
 * @throws {TypeError} for an id that is not a string
 */
export function sessionUrl(base: string, session: string): string {
  requireText(session, 'the id of the session', "sessionUrl('https://HOST', 'cse_1')");
  return `${base}${SESSIONS}/${session}`;
}

/** Returns the address at which sessions are created on a server. */
export function sessionsUrl(base: string): string {
  return `${base}${SESSIONS}`;
}

/** Whether a host name can reach only this machine: `localhost`, `::1` or an address in `127.0.0.0/8`. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|\[?::1\]?|127(?:\.\d{1,3}){3})$/.test(hostname);
}
