import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { stateDirectory } from '@proto/headless';
import { createMemoryEventLog, type IngressServer, openSqliteEventLog, serve } from '@proto/ingress';
import { adviceOn, type Log } from '@proto/terminal/process';
import type { ServePlan } from './serve-plan.ts';
import type { ServeReport } from './serve-report.ts';
import { observation } from './serve-observer.ts';
import { openServerAccounts, type ServerAccounts } from './server-accounts.ts';
import { sessionUrl } from '@proto/remote';
import { checkSessionAgent, createLocalAgents } from '@proto/worker';
import { ownVariables } from '../own-variables.ts';

/** How a server is run. */
export interface RunServerOptions {
  readonly plan: ServePlan;
  /** The command line of the agent that each session gets; empty if workers attach from elsewhere. */
  readonly agent: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly report: ServeReport;
  /** Where requests and appends are logged. */
  readonly log: Log;
  /** Is called with advice about the permissions of files, before the server listens. */
  readonly warn: (message: string) => void;
}

/** A running server. */
export interface RunningServer {
  /** Stops the agents, answers what is under way, and closes the log. */
  close(): Promise<void>;
  /** Kills the agents, so that `close` ends sooner. */
  hurry(): void;
}

// The agents call the server within this process, so its address does not matter.
const HERE = 'http://127.0.0.1';

/** Starts a server of sessions, with an agent for each where one is given. Fulfils when it listens. */
export async function runServer(options: RunServerOptions): Promise<RunningServer> {
  const { plan, agent, cwd, env, report, warn } = options;
  const program = { agent, cwd, env, passEnv: plan.passEnv, variables: ownVariables(agent, env) };
  if (agent.length > 0) checkSessionAgent(program);
  const accounts = await openServerAccounts(plan, cwd, env, warn).catch(asUsage);
  const observed = await observation(plan.metricsTokenFile, options.log).catch(asUsage);
  const file = await fileOf(plan, cwd, env);
  const log = await openLog(file, plan, warn);
  // The agents attach to the server only when it asks for them, so it exists by then.
  let server: IngressServer;
  const agents = createLocalAgents({
    program,
    url: (session) => sessionUrl(HERE, session),
    token: accounts.internalToken,
    fetch: (request) => server.fetch(request),
    restart: plan.restart,
    idleTimeoutMs: plan.idleTimeoutMs,
    onEvent: report,
    onStderr: (text, session) => report({ type: 'agent_stderr', session, text }),
  });
  try {
    server = await serve({
      ...plan,
      ...observed,
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
  const store = file ?? 'memory, until this process ends';
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

/** What is wrong with a file that an option names is an error of the command line. */
function asUsage(error: Error): never {
  throw Object.assign(new Error(error.message, { cause: error }), { code: 'usage' });
}

/** Reports when the accounts file can be read again. The server reports as an error that it cannot be read. */
function reportRecovery({ watch, tokenFile }: ServerAccounts, report: ServeReport): () => void {
  let isBroken = false;
  return (
    watch?.((trouble) => {
      if (isBroken && trouble === undefined) report({ type: 'accounts_restored', file: String(tokenFile) });
      isBroken = trouble !== undefined;
    }) ?? (() => {})
  );
}

/** Returns the file that keeps the sessions; undefined for memory. Makes the state folder, for its owner alone, where the server's own file is used. */
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
