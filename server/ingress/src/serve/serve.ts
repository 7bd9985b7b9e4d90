import type { EventLog } from '../log/event-log.ts';
import { createMemoryEventLog } from '../log/memory-event-log.ts';
import { openSqliteEventLog } from '../log/sqlite-event-log.ts';
import { type IngressServer, listen } from '../node/listen.ts';
import { observeFigures } from './observe-figures.ts';
import { openAccess, watchRecovery } from './open-access.ts';
import type { LocalServer, ServeOptions } from './serve-options.ts';

/** A session server that listens. */
export interface SessionServer extends IngressServer {
  /** The address of the page, with a ticket if `access` has a token; undefined if the server has no page. */
  readonly page: string | undefined;
  /** Stops the agents, answers the requests in progress, and closes the store. */
  close(): Promise<void>;
  /** Kills the agents, so that `close` ends sooner. */
  abort(): void;
}

/**
 * Serves sessions over HTTP and WebSockets: opens the store and the accounts, and listens. The server later closes everything that it opened. The
 * server does not handle signals, and writes only to the store. Use a proxy for TLS. To serve with your own log and accounts, use `listen` of
 * `@proto/ingress`.
 *
 * @throws AccountsError if the accounts file cannot be used
 * @throws EventLogError if the store cannot be opened
 * @throws the system error if the server cannot listen, such as with the code `EADDRINUSE`
 */
export async function serve(options: ServeOptions): Promise<SessionServer> {
  const { access, cluster, notify, limits, onError } = options;
  const accounts = await openAccess(access);
  const observed = await observeFigures(options);
  // Agents and the page use `server` only after the server has called them, so `server` is set by then.
  let server: IngressServer;
  const local: LocalServer = {
    fetch: (request) => server.fetch(request),
    token: accounts.internalToken,
    authenticate: async (token) => (token === undefined ? accounts.anonymous : accounts.authenticate(token)),
  };
  const page = await options.page?.(local);
  const log = await openStore(options).catch((error: unknown) => {
    page?.close();
    throw error;
  });
  const agents = options.agents?.(local);
  try {
    server = await listen({
      limits,
      ...options.listen,
      ...observed,
      log,
      accounts,
      cluster,
      notify,
      onError,
      ...(agents !== undefined && { agents }),
      ...(page !== undefined && { fallback: page.fetch }),
    });
  } catch (error) {
    page?.close();
    await log.close();
    throw error;
  }
  const unwatch = watchRecovery(accounts, options.onAccountsRestored ?? (() => {}));
  const { url, fetch } = server;
  const token = 'token' in access ? access.token : undefined;
  const close = async () => {
    unwatch();
    page?.close();
    await agents?.close();
    await server.close();
    await log.close();
  };
  return {
    url,
    fetch,
    page: page && ((await page.link(url, token)) ?? url),
    close,
    abort: () => agents?.abort(),
    [Symbol.asyncDispose]: close,
  };
}

async function openStore({ store, retention = {}, onWarning }: ServeOptions): Promise<EventLog> {
  if (store === 'memory') return createMemoryEventLog(retention);
  if ('open' in store) return store.open(retention);
  return openSqliteEventLog({ file: store.file, ...retention, ...(onWarning && { onWarning }) });
}
