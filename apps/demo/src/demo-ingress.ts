import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { WireMessage } from '@proto/core/framing';
import { createAccounts, createMemoryEventLog, type IngressServer, listen } from '@proto/ingress';
import { openSession, sessionUrl } from '@proto/remote';
import { createLocalAgents } from '@proto/remote/worker';

/** The parts of a process that the demo uses. */
export interface DemoProcess {
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Environment variables for the agent, in addition to the variables that agents inherit. */
  readonly agentEnv: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** A session server on this machine, with an agent for each session. */
export interface DemoIngress extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  /** Creates a session, and returns its id. */
  newSession(): Promise<string>;
  /** Returns the messages that the worker of a session has written to the log. */
  logOf(session: string): Promise<readonly WireMessage[]>;
}

/** Starts the server, which runs the given agent for each of its sessions. */
export async function startDemoIngress(agent: string, here: DemoProcess): Promise<DemoIngress> {
  const token = randomUUID();
  const accounts = await createAccounts([{ name: 'demo', role: 'driver', token }]);
  const log = createMemoryEventLog();
  const agents = createLocalAgents({
    program: { agent: [agent], cwd: here.cwd, env: here.env },
    url: (session) => sessionUrl(server.url, session),
    token,
    fetch: (request) => server.fetch(request),
    onStderr: (text) => void here.stderr.write(text),
  });
  const server: IngressServer = await listen({ log, accounts, agents });
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
