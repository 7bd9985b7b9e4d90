import { randomUUID } from 'node:crypto';
import type { WireMessage } from '@proto/core/framing';
import { createAccounts, createMemoryEventLog, type IngressServer, serve } from '@proto/ingress';
import type { DemoProcess } from './demo-process.ts';
import { openSession, sessionUrl } from '@proto/remote';
import { attachWorker, createSessionAgents, spawnSessionAgent } from '@proto/worker';

/** A server of sessions on this machine, with an agent for each. */
export interface DemoIngress extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  /** Makes a session, and gives its id. */
  newSession(): Promise<string>;
  /** What the worker of a session has said, as the log has it. */
  logOf(session: string): Promise<readonly WireMessage[]>;
}

/** Starts the server; each of its sessions gets that agent. */
export async function startDemoIngress(agent: string, here: DemoProcess): Promise<DemoIngress> {
  const token = randomUUID();
  const accounts = await createAccounts([{ name: 'demo', role: 'driver', token }]);
  const log = createMemoryEventLog();
  const agents = createSessionAgents({
    start: (session, resume) =>
      spawnSessionAgent({
        agent: [agent],
        session,
        resume,
        cwd: here.cwd,
        env: here.env,
        onStderr: (text) => void here.stderr.write(text),
      }),
    attach: (session) =>
      attachWorker({ url: sessionUrl(server.url, session), token, fetch: (request) => server.fetch(request) }),
    restart: { maxAttempts: 0 },
  });
  const server: IngressServer = await serve({ log, accounts, agents });
  return {
    url: server.url,
    token,
    newSession: async () => (await openSession({ base: server.url, session: 'new', token })).id,
    async logOf(session) {
      const { events } = await log.read(session, 0, { maxEvents: Number.MAX_SAFE_INTEGER });
      return events
        .filter(({ source }) => source === 'worker')
        .map(({ payload }) => JSON.parse(payload) as WireMessage);
    },
    async [Symbol.asyncDispose]() {
      await agents.close();
      await server.close();
      await log.close();
    },
  };
}
