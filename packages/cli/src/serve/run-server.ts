import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { stateDirectory } from '@proto/headless';
import { createMemoryEventLog, type IngressServer, openSqliteEventLog, serve } from '@proto/ingress';
import { adviceOn } from '@proto/terminal/process';
import type { ServePlan } from './serve-plan.ts';
import type { ServeReport } from './serve-report.ts';
import { openServerAccounts, type ServerAccounts } from './server-accounts.ts';
import { sessionUrl } from '@proto/remote';
import { attachWorker, checkSessionAgent, createSessionAgents, spawnSessionAgent } from '@proto/worker';
import { ownVariables } from '../own-variables.ts';

/** What a server is run with. */
export interface RunServerOptions {
  readonly plan: ServePlan;
  /** The command line of the agent that each session gets; empty where workers come from elsewhere. */
  readonly agent: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly report: ServeReport;
  /** Is told what is wrong with permissions, before the server listens. */
  readonly warn: (message: string) => void;
}

/** A server that runs. */
export interface RunningServer {
  /** Stops the agents, answers what is under way, and closes the log. */
  close(): Promise<void>;
  /** Makes that quicker: kills the agents. */
  hurry(): void;
}

// The agents call the server within this process, so its address does not matter.
const HERE = 'http://127.0.0.1';

/** Starts a server of sessions, with an agent for each where one is given. Fulfils when it listens. */
export async function runServer({ plan, agent, cwd, env, report, warn }: RunServerOptions): Promise<RunningServer> {
  const program = { agent, cwd, env, passEnv: plan.passEnv, variables: ownVariables(agent, env) };
  if (agent.length > 0) checkSessionAgent(program);
  const accounts = await openServerAccounts(plan, cwd, env, warn).catch((error: Error) => {
    throw Object.assign(new Error(error.message, { cause: error }), { code: 'usage' });
  });
  const file = await fileOf(plan, cwd, env);
  const log = await openLog(file, plan, warn);
  // Agents attach to the server, which asks for them: by then it is there.
  let server: IngressServer;
  const agents = createSessionAgents({
    start: (session, resume) =>
      spawnSessionAgent({
        ...program,
        session,
        resume,
        onStderr: (text) => report({ type: 'agent_stderr', session, text }),
      }),
    attach: (session) =>
      attachWorker({
        url: sessionUrl(HERE, session),
        token: accounts.internalToken,
        fetch: (request) => server.fetch(request),
      }),
    restart: plan.restart,
    idleTimeoutMs: plan.idleTimeoutMs,
    onEvent: report,
  });
  try {
    server = await serve({
      ...plan,
      log,
      accounts,
      ...(agent.length > 0 && { agents }),
      onError: (error) => report({ type: 'error', message: error instanceof Error ? error.message : String(error) }),
    });
  } catch (error) {
    await log.close();
    throw error;
  }
  const unwatch = reportRecovery(accounts, report);
  const startsAgents = agent.length > 0;
  const store = file ?? 'memory, gone with this process';
  report({
    type: 'listening',
    base: server.url,
    token: accounts.token,
    tokenFile: accounts.tokenFile,
    store,
    startsAgents,
  });
  return {
    async close() {
      unwatch();
      await agents.close();
      await server.close();
      await log.close();
    },
    hurry: () => agents.abort(),
  };
}

/** Says that the file of accounts is good again; that it is not is an error of the server. */
function reportRecovery({ watch, tokenFile }: ServerAccounts, report: ServeReport): () => void {
  let isBroken = false;
  return (
    watch?.((trouble) => {
      if (isBroken && trouble === undefined) report({ type: 'accounts_restored', file: String(tokenFile) });
      isBroken = trouble !== undefined;
    }) ?? (() => {})
  );
}

/** The file sessions are kept in; undefined for memory. The server's own one is in the state folder, which is made for its owner alone. */
async function fileOf({ store }: ServePlan, cwd: string, env: RunServerOptions['env']): Promise<string | undefined> {
  if (store === 'memory') return undefined;
  if (store !== 'own') return store.file;
  const folder = stateDirectory(cwd, env);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(folder, 'sessions.db');
}

async function openLog(file: string | undefined, { retention }: ServePlan, warn: (message: string) => void) {
  if (file === undefined) return createMemoryEventLog(retention);
  return openSqliteEventLog({ file, ...retention, onWarning: (warning) => warn(adviceOn(warning.file, warning.mode)) });
}
