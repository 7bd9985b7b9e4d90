import { type IngressServer, serve } from '@proto/ingress';
import type { MountedInspector } from '@proto/inspector';
import type { Log } from '@proto/terminal/process';
import type { ServePlan } from './serve-plan.ts';
import type { ServeReport, Warn } from './serve-report.ts';
import { openStore } from './open-store.ts';
import { observation } from './serve-observer.ts';
import { openServerAccounts, type ServerAccounts } from './server-accounts.ts';
import { sessionUrl } from '@proto/remote';
import { checkSessionAgent, createLocalAgents } from '@proto/remote/worker';
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
  readonly warn: Warn;
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
  const accounts = await openServerAccounts(plan, cwd, env, (message) => warn('open_to_others', message)).catch(
    asUsage,
  );
  const observed = await observation(plan.metricsTokenFile, options.log).catch(asUsage);
  const page = plan.hasPage ? await openPage(() => server, accounts) : undefined;
  const { log, name: store } = await openStore(plan, { cwd, env, warn });
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
      ...(page !== undefined && { fallback: page.fetch }),
      onError: (error) => report({ type: 'error', message: error instanceof Error ? error.message : String(error) }),
    });
  } catch (error) {
    await log.close();
    throw error;
  }
  const unwatch = reportRecovery(accounts, report);
  const startsAgents = agent.length > 0;
  report({
    type: 'listening',
    base: server.url,
    token: accounts.token,
    tokenFile: accounts.tokenFile,
    store,
    startsAgents,
    ...(page !== undefined && { page: (await page.link(server.url, accounts.token ?? undefined)) ?? server.url }),
  });
  return {
    async close() {
      unwatch();
      page?.close();
      await agents.close();
      await server.close();
      await log.close();
    },
    hurry: () => agents.abort(),
  };
}

/** Opens the page of the server. Without a known token its visitors sign in with theirs. */
async function openPage(server: () => IngressServer, accounts: ServerAccounts): Promise<MountedInspector> {
  const { mountInspector } = await import('@proto/inspector');
  return mountInspector({
    fetch: (request) => server().fetch(request),
    authenticate: async (token) => (token === undefined ? accounts.anonymous : accounts.authenticate(token)),
  });
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
