import { listSessions, openSession, parseSessionAddress } from '@proto/remote';
import type { InspectedSessions } from '../server/inspected-sessions.ts';
import { ServerSessions } from '../sessions/server-sessions.ts';

/** Which sessions of a server are shown. */
export interface InspectedServer {
  /** The server, or one of its sessions: `http://`, `https://`, `sse+http://`, `ws://` or `wss://`. */
  readonly address: string;
  /**
   * The id of the only session that is shown. Default: the session that the address names, or all sessions of the account if the address names no
   * session.
   */
  readonly session?: string | undefined;
}

/**
 * Opens the sessions of a server with the token of this machine, so that the page has the rights of the token's account.
 *
 * @throws SessionError if the server cannot be reached or refuses the request
 */
export async function inspectServer(
  { address, session }: InspectedServer,
  tokenOf: (hostname: string) => Promise<string | undefined>,
): Promise<{ readonly sessions: InspectedSessions; close(): void }> {
  const { base, hostname, session: named } = parseSessionAddress(address);
  const only = session ?? named;
  const token = () => tokenOf(hostname);
  // This is checked before the page is opened, so that the caller can still end with an error.
  if (only === undefined) await listSessions({ base, token: await token(), limit: 1 });
  else await openSession({ base, session: only, token: await token() });
  const sessions = new ServerSessions({ base, token, fetch: (url, init) => fetch(url, init), only });
  return { sessions, close: () => sessions.close() };
}
