/** Where a session is. */
export interface SessionAddress {
  /** Of the server, without a slash at the end. */
  readonly base: string;
  readonly hostname: string;
  /** Absent where the address is that of the server. */
  readonly session?: string;
}

const SESSIONS = '/v1/code/sessions';

/** Reads the address of a server or of one of its sessions, with or without `sse+`. Throws for anything else, without the address. */
export function parseSessionAddress(text: string): SessionAddress {
  const plain = text.replace(/^sse\+/, '');
  const url = URL.canParse(plain) ? new URL(plain) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error('the address is one of http://, https://, sse+http:// or sse+https://');
  }
  if (url.username !== '' || url.password !== '') throw new Error('a URL is no place for a secret: give --token-file');
  const { origin, hostname, pathname } = url;
  const [, before = '', session] = /^(.*?)\/v1\/code\/sessions(?:\/([A-Za-z0-9_-]+))?\/?$/.exec(pathname) ?? [
    '',
    pathname.replace(/\/$/, ''),
  ];
  return { base: `${origin}${before}`, hostname, ...(session !== undefined && { session }) };
}

/** The address of a session on a server. */
export function sessionUrl(base: string, session: string): string {
  return `${base}${SESSIONS}/${session}`;
}

/** Where sessions of a server are made. */
export function sessionsUrl(base: string): string {
  return `${base}${SESSIONS}`;
}
