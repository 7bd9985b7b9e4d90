import { once } from 'node:events';
import { serveClients } from '@proto/remote/bridge';
import { keepToken } from '@proto/remote';
import type { Transport } from '@proto/core/transport';
import { onInterrupts } from '@proto/terminal/process';
import type { ListenPlan } from './bridge-plan.ts';
import { type BridgeSettings, runBridge } from './run-bridge.ts';

// How long clients have to read what is left after a signal.
const GRACE_MS = 5000;

/** Serves clients, each with an agent of its own, until a signal comes; without `--multi` until the first client has ended. Fulfils with the exit code. */
export async function runListener(plan: ListenPlan, settings: BridgeSettings): Promise<number> {
  const { report, signals } = settings;
  const token = plan.tokenFile === undefined ? undefined : await keepToken(plan.tokenFile);
  const stopped = new AbortController();
  const running = new Set<Promise<void>>();
  let sessions = 0;
  let code = 0;
  const serve = async (client: Transport, session: number) => {
    report({ type: 'session_started', session });
    // An error here ends this client alone.
    const own = await runBridge(settings, { client, session }).catch((error: Error) => {
      report({ type: 'error', code: 'error', message: error.message, retryable: false, session });
      client.abort(error);
      return 1;
    });
    report({ type: 'session_ended', session, code: own });
    if (plan.maxSessions > 1) return;
    code = own;
    stopped.abort();
  };
  const server = await serveClients({
    hostname: plan.hostname,
    port: plan.port,
    token,
    maxClients: plan.maxSessions,
    onClient(client) {
      const done = serve(client, ++sessions).finally(() => running.delete(done));
      running.add(done);
    },
  });
  const endAll = (act: (client: Transport) => void) => {
    for (const client of server.clients) act(client);
  };
  let grace: NodeJS.Timeout | undefined;
  const stop = (signalCode: number) => () => {
    if (!stopped.signal.aborted) code = signalCode;
    stopped.abort();
    // A child gets the signal from its bridge. Any other agent ends with its client, also with a client whose link is down.
    endAll((client) => void client.close());
    grace ??= setTimeout(endAll, GRACE_MS, (client: Transport) => client.abort());
  };
  const leave = onInterrupts(signals, {
    interrupt: stop(130),
    close: stop(143),
    kill: () => endAll((client) => client.abort()),
  });
  report({ type: 'listening', url: server.url, tokenFile: plan.tokenFile ?? null });
  await once(stopped.signal, 'abort');
  server.close();
  await Promise.all(running);
  clearTimeout(grace);
  leave();
  report({ type: 'result', code });
  return code;
}
