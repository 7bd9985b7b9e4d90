import type { LinkKind } from './open-viewer.ts';

/** Where a session is. */
export interface SessionAddress {
  /** Of the server, without a slash at the end. */
  readonly base: string;
  readonly hostname: string;
  /** Absent where the address is that of the server. */
  readonly session?: string;
  /** What the scheme of the address asks for. */
  readonly prefer: LinkKind;
}

const SESSIONS = '/v1/code/sessions';
// What stands before the paths of the server, and the id of a session: by events and posts, by WebSocket, or neither.
const PATHS = [
  /^(.*?)\/v1\/code\/sessions(?:\/([A-Za-z0-9_-]+))?\/?$/,
  /^(.*?)\/v1\/sessions\/ws\/([A-Za-z0-9_-]+)\/subscribe$/,
  /^(.*)$/,
];

/** Reads the address of a server or of one of its sessions; `ws:` is by WebSocket. Throws for anything else, without the address. */
export function parseSessionAddress(text: string): SessionAddress {
  const prefer = /^wss?:/i.test(text) ? 'ws' : 'sse';
  const plain = text.replace(/^sse\+/, '').replace(/^ws(s?):/i, 'http$1:');
  const url = URL.canParse(plain) ? new URL(plain) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error('the address is one of http://, https://, sse+http://, sse+https://, ws:// or wss://');
  }
  if (url.username !== '' || url.password !== '') throw new Error('a URL is no place for a secret: give --token-file');
  const { origin, hostname, pathname } = url;
  const [, before = '', session] = PATHS.map((path) => path.exec(pathname)).find((found) => found !== null) ?? [];
  return { base: `${origin}${before.replace(/\/$/, '')}`, hostname, prefer, ...(session !== undefined && { session }) };
}

/** The address of a session on a server. */
export function sessionUrl(base: string, session: string): string {
  return `${base}${SESSIONS}/${session}`;
}

/** Where sessions of a server are made. */
export function sessionsUrl(base: string): string {
  return `${base}${SESSIONS}`;
}
