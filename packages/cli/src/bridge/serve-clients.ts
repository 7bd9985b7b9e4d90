import { once } from 'node:events';
import type { Transport } from '@proto/core/transport';
import { keepToken } from '../network/token-file.ts';
import { onInterrupts } from '../run/interrupts.ts';
import type { ListenPlan } from './bridge-plan.ts';
import { createClientSessions } from './client-sessions.ts';
import { listen } from './listen.ts';
import { type BridgeSettings, runBridge } from './run-bridge.ts';

// How long clients have to hear of the end, once a signal has come.
const GRACE_MS = 5000;

/** Serves clients, each with an agent of its own, until a signal comes; without `--multi` until the first is done. */
export async function serveClients(plan: ListenPlan, settings: BridgeSettings): Promise<number> {
  const { report, signals } = settings;
  const token = plan.tokenFile === undefined ? undefined : await keepToken(plan.tokenFile);
  const stopped = new AbortController();
  const running = new Set<Promise<void>>();
  let sessions = 0;
  let code = 0;
  const serve = async (client: Transport, session: number) => {
    report({ type: 'session_started', session });
    // A throw is a broken promise of ours, and no reason to take the others down.
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
  const clients = createClientSessions({
    maxSessions: plan.maxSessions,
    onClient(client) {
      const done = serve(client, ++sessions).finally(() => running.delete(done));
      running.add(done);
    },
  });
  const listener = await listen({
    ...plan,
    token,
    isFull: () => clients.open.size >= plan.maxSessions,
    onSocket: (socket) => clients.accept(socket),
  });
  const endAll = (act: (client: Transport) => void) => {
    for (const client of clients.open) act(client);
  };
  let grace: NodeJS.Timeout | undefined;
  const stop = (signalCode: number) => () => {
    if (!stopped.signal.aborted) code = signalCode;
    stopped.abort();
    // A child hears of the signal by itself; what else there is ends with its client, also one that is away and may come back.
    endAll((client) => void client.close());
    grace ??= setTimeout(endAll, GRACE_MS, (client: Transport) => client.abort());
  };
  const leave = onInterrupts(signals, {
    interrupt: stop(130),
    close: stop(143),
    kill: () => endAll((client) => client.abort()),
  });
  report({ type: 'listening', url: listener.url, tokenFile: plan.tokenFile ?? null });
  await once(stopped.signal, 'abort');
  listener.close();
  await Promise.all(running);
  clearTimeout(grace);
  leave();
  report({ type: 'result', code });
  return code;
}
