import { createHash } from 'node:crypto';
import { ServerSessions } from '../sessions/server-sessions.ts';
import { guardOrigin } from './guard.ts';
import { createInspectorApp } from './inspector-app.ts';
import { readPage } from './page-file.ts';
import { Visitors } from './visitors.ts';

/** The account of a token. */
export interface VisitingAccount {
  readonly role: 'driver' | 'approver' | 'viewer';
}

/** The server of sessions that has the page beside its endpoints. */
export interface MountedInspectorOptions {
  /** Answers a request to an endpoint of the server. */
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** The account of a token, or of a client without a token; undefined if there is none. */
  readonly authenticate: (token: string | undefined) => Promise<VisitingAccount | undefined>;
}

/** The page, as a part of a server of sessions. */
export interface MountedInspector {
  /** Answers requests that are for no endpoint of the server. The host of a request has to be checked before. */
  fetch(request: Request): Response | Promise<Response>;
  /** Returns the address of the page with a ticket, which is good once, for 60 s, and gives the rights of the account of the token. */
  link(base: string, token: string | undefined): Promise<string | undefined>;
  close(): void;
}

// The requests stay within this process, so the address does not matter.
const HERE = 'http://127.0.0.1';
const MAX_ACCOUNTS = 200;

/** Creates the page of a server of sessions. Everything that a visitor does is a request with the token of the visitor. */
export async function mountInspector({ fetch, authenticate }: MountedInspectorOptions): Promise<MountedInspector> {
  const visitors = new Visitors();
  const page = await readPage();
  const byToken = new Map<string, ServerSessions>();
  const cookie = `sjp_inspect_${createHash('sha256').update(String(process.pid)).digest('hex').slice(0, 8)}`;
  async function admit(token: string | undefined): Promise<ServerSessions | undefined> {
    const account = await authenticate(token);
    if (account === undefined) return undefined;
    const key = token === undefined ? '' : createHash('sha256').update(token).digest('hex');
    const known = byToken.get(key);
    if (known !== undefined) return known;
    const maySend = account.role !== 'viewer';
    const sessions = new ServerSessions({
      base: HERE,
      fetch: (url, init) => fetch(new Request(url, init)),
      token: async () => token,
      maySend,
      // An account that may send more or less is opened again.
      isCurrent: async () => {
        const current = await authenticate(token);
        return current !== undefined && (current.role !== 'viewer') === maySend;
      },
    });
    byToken.set(key, sessions);
    const [oldest] = byToken;
    if (byToken.size > MAX_ACCOUNTS && oldest !== undefined) {
      oldest[1].close();
      byToken.delete(oldest[0]);
    }
    return sessions;
  }
  const app = createInspectorApp({ page, visitors, cookie: () => cookie, guard: guardOrigin, admit });
  return {
    fetch: (request) => app.fetch(request),
    async link(base, token) {
      const sessions = await admit(token);
      return sessions && `${base}/#ticket=${visitors.issueTicket(sessions)}`;
    },
    close() {
      for (const sessions of byToken.values()) sessions.close();
    },
  };
}
