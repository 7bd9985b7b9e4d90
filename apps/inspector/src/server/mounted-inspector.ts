import { createHash } from 'node:crypto';
import { ServerSessions } from '../sessions/server-sessions.ts';
import { guardOrigin } from './guard.ts';
import { createInspectorApp } from './inspector-app.ts';
import { readPage } from './page-file.ts';
import { Visitors } from './visitors.ts';

/** The account of a token. */
export interface VisitingAccount {
  /** The name of the account, to which limits apply. Default: limits apply to each token. */
  readonly name?: string;
  readonly role: 'driver' | 'approver' | 'viewer';
}

/** The session server that also serves the page. */
export interface MountedInspectorOptions {
  /** Answers a request to an endpoint of the server. */
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Returns the account of a token, or of a client without a token; undefined if no such account exists. */
  readonly authenticate: (token: string | undefined) => Promise<VisitingAccount | undefined>;
}

/** The page, as a part of a session server. */
export interface MountedInspector {
  /**
   * Answers requests that are not for an endpoint of the server. Check the host of a request before you call this. Wrong tokens are counted for each
   * address of a client. All clients without an address count as one client.
   */
  readonly fetch: (request: Request, client?: { readonly address: string | undefined }) => Response | Promise<Response>;
  /** Returns the address of the page with a ticket. The ticket can be used once within 60 s, and gives the rights of the token's account. */
  link(base: string, token: string | undefined): Promise<string | undefined>;
  close(): void;
}

// The requests stay within this process, so the address does not matter.
const HERE = 'http://127.0.0.1';
/** The maximum number of tokens of one account that are used at a time. An issuer may issue any number of tokens to an account. */
const MAX_TOKENS_OF_ACCOUNT = 10;
/**
 * The maximum number of accounts that are remembered. Above this number, the account that has not visited for the longest time is forgotten. An
 * issuer may have any number of accounts.
 */
const MAX_ACCOUNTS = 10_000;

interface Visiting {
  readonly sessions: ServerSessions;
  readonly maySend: boolean;
}

/** Creates the page of a session server. Every action of a visitor is sent as a request with the visitor's token. */
export async function mountInspector({ fetch, authenticate }: MountedInspectorOptions): Promise<MountedInspector> {
  const visitors = new Visitors();
  const page = await readPage();
  /** The visits, by account and then by token. */
  const visiting = new Map<string, Map<string, Visiting>>();
  const cookie = `sjp_inspect_${createHash('sha256').update(String(process.pid)).digest('hex').slice(0, 8)}`;
  const open = (token: string | undefined, name: string, maySend: boolean) =>
    new ServerSessions({
      base: HERE,
      account: name,
      fetch: (url, init) => fetch(new Request(url, init)),
      token: async () => token,
      maySend,
      // If the rights of the account have changed, its sessions are opened again.
      isCurrent: async () => {
        const current = await authenticate(token);
        return current !== undefined && (current.role !== 'viewer') === maySend;
      },
    });
  function forgetOldest(): void {
    const [oldest] = visiting;
    if (visiting.size <= MAX_ACCOUNTS || oldest === undefined) return;
    for (const { sessions } of oldest[1].values()) sessions.close();
    visiting.delete(oldest[0]);
  }
  async function admit(token: string | undefined): Promise<ServerSessions | undefined> {
    const account = await authenticate(token);
    if (account === undefined) return undefined;
    const key = token === undefined ? '' : createHash('sha256').update(token).digest('hex');
    const { name = key } = account;
    const ofAccount = visiting.get(name) ?? new Map<string, Visiting>();
    visiting.delete(name);
    visiting.set(name, ofAccount);
    forgetOldest();
    const maySend = account.role !== 'viewer';
    const known = ofAccount.get(key);
    if (known?.maySend === maySend) return known.sessions;
    known?.sessions.close();
    ofAccount.delete(key);
    const sessions = open(token, name, maySend);
    ofAccount.set(key, { sessions, maySend });
    const [oldest] = ofAccount;
    if (ofAccount.size > MAX_TOKENS_OF_ACCOUNT && oldest !== undefined) {
      oldest[1].sessions.close();
      ofAccount.delete(oldest[0]);
    }
    return sessions;
  }
  const app = createInspectorApp({ page, visitors, cookie: () => cookie, guard: guardOrigin, admit });
  return {
    fetch: (request, client) => app.fetch(request, client),
    async link(base, token) {
      const sessions = await admit(token);
      return sessions && `${base}/#ticket=${visitors.issueTicket(sessions)}`;
    },
    close() {
      for (const tokens of visiting.values()) for (const { sessions } of tokens.values()) sessions.close();
    },
  };
}
