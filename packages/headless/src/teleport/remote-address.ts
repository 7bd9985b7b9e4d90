import type { Variables } from '../environment-variables.ts';

export interface RemoteSessionAddress {
  readonly id: string;
  /** The server, for error messages. */
  readonly origin: string;
  readonly url: string;
}

const SESSIONS = '/v1/code/sessions';
const ID = /^[A-Za-z0-9_-]+$/;

/**
 * The address is a URL, or the id of a session on the server that `SJP_TELEPORT_URL` names. For any other text, throws an error that says what to
 * enter.
 */
export function remoteAddress(asked: string | true, { SJP_TELEPORT_URL: server }: Variables): RemoteSessionAddress {
  if (asked === true) throw new Error('--teleport needs the ID of a remote session, or its address');
  if (!ID.test(asked)) {
    const url = webUrl(asked, '--teleport');
    const [, path = '', id] = /^(.*\/v1\/code\/sessions)\/([A-Za-z0-9_-]+)\/?$/.exec(url.pathname) ?? [];
    if (id === undefined) throw new Error(`--teleport: the address of a session must end in ${SESSIONS}/ID`);
    return { id, origin: url.origin, url: `${url.origin}${path}/${id}` };
  }
  if (!server) {
    const example = `https://HOST${SESSIONS}/${asked}`;
    throw new Error(
      `--teleport: the server is missing. Give the whole address (${example}), or set SJP_TELEPORT_URL to the address of the server`,
    );
  }
  const url = webUrl(server, 'SJP_TELEPORT_URL');
  // The address of a server may include the `/v1` with which its paths begin.
  const base = url.pathname.replace(/\/$/, '').replace(/\/v1(?:\/code\/sessions)?$/, '');
  return { id: asked, origin: url.origin, url: `${url.origin}${base}${SESSIONS}/${asked}` };
}

/** The error does not contain the text, which may be a secret. */
function webUrl(text: string, name: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error(`${name} is neither the ID of a session nor an http: or https: address`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error(`${name}: do not put a secret in a URL: set CLAUDE_CODE_SESSION_ACCESS_TOKEN`);
  }
  return url;
}
