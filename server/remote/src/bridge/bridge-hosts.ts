import { once } from 'node:events';
import type { Transport } from '@proto/core/transport';
import { keepToken } from '../node/token-file.ts';
import { EXIT, type StoppedBy } from './bridge-exit.ts';
import { type BridgeSettings, joinSides, type RunningBridge } from './join-sides.ts';
import { serveClients } from './serve-clients.ts';

/** Where hosts connect over WebSockets. */
export interface HostAddress {
  /** The address to listen on, such as `127.0.0.1`. */
  readonly hostname: string;
  /** The port. 0 selects a free port. */
  readonly port: number;
  /** How many hosts may be connected at once, each with its own agent. The bridge of a single host ends with that host. Default 1. */
  readonly maxHosts?: number | undefined;
  /** The file with the token that hosts must send. A missing file is created with a new token. Default: hosts need no token. */
  readonly tokenFile?: string | undefined;
}

const GRACE_AFTER_STOP_MS = 5000;

/** Accepts hosts, each with its own agent, until the bridge is stopped. If only one host is allowed, the bridge ends with that host. */
export async function bridgeHosts(address: HostAddress, settings: BridgeSettings): Promise<RunningBridge> {
  const { hostname, port, maxHosts = 1, tokenFile } = address;
  const { report } = settings;
  const token = tokenFile === undefined ? undefined : await keepToken(tokenFile);
  const stopped = new AbortController();
  const bridges = new Set<RunningBridge>();
  const running = new Set<Promise<void>>();
  let sessions = 0;
  let code: number = EXIT.ok;
  const serve = async (client: Transport, session: number) => {
    const own = await joinHost(client, session, settings, bridges);
    if (maxHosts > 1) return;
    code = own;
    stopped.abort();
  };
  const server = await serveClients({
    hostname,
    port,
    token,
    maxClients: maxHosts,
    onClient(client) {
      const done = serve(client, ++sessions).finally(() => running.delete(done));
      running.add(done);
    },
  });
  const abortClients = () => {
    for (const client of server.clients) client.abort();
  };
  let grace: NodeJS.Timeout | undefined;
  const stop = (by: StoppedBy) => {
    if (!stopped.signal.aborted) code = EXIT[by];
    stopped.abort();
    // A child is stopped by its bridge. Any other agent ends with its host, even if the host's link is down.
    for (const client of server.clients) void client.close();
    grace ??= setTimeout(abortClients, GRACE_AFTER_STOP_MS);
    for (const joined of bridges) joined[by]();
  };
  report({ type: 'listening', url: server.url, tokenFile: tokenFile ?? null });
  const ended = async () => {
    await once(stopped.signal, 'abort');
    server.close();
    await Promise.all(running);
    clearTimeout(grace);
    report({ type: 'result', code });
    return code;
  };
  return {
    closed: ended(),
    interrupt: () => stop('interrupt'),
    close: () => stop('close'),
    abort() {
      abortClients();
      for (const joined of bridges) joined.abort();
    },
  };
}

/** Connects a host with its own agent. Fulfils with the exit code when both the host and the agent have ended. An error ends only this host. */
async function joinHost(
  client: Transport,
  session: number,
  settings: BridgeSettings,
  bridges: Set<RunningBridge>,
): Promise<number> {
  const { report } = settings;
  const join = async () => {
    const joined = await joinSides(settings, client, session);
    bridges.add(joined);
    return joined.closed.finally(() => bridges.delete(joined));
  };
  report({ type: 'session_started', session });
  const code = await join().catch((error: Error) => {
    report({ type: 'error', code: 'error', message: error.message, retryable: false, session });
    client.abort(error);
    return EXIT.failed;
  });
  report({ type: 'session_ended', session, code });
  return code;
}
