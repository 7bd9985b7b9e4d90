import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stateDirectory } from '@proto/headless';
import type { AccessOptions, ServeOptions, SessionServer, StoreOptions } from '@proto/ingress/node';
import { sessionUrl } from '@proto/remote';
import { keepToken, readToken } from '@proto/remote/node';
import { adviceOn, type Log, messageFor, openToOthers } from '@proto/terminal/process';
import { logServer, type ServerReport } from '@proto/terminal/reports';
import { ownVariables } from '../own-variables.ts';
import { ownTokenFile, type Place } from '../token-file.ts';
import type { ServePlan } from './serve-plan.ts';

export type Warn = (code: string, message: string) => void;

export interface ServerOutput {
  readonly report: ServerReport;
  readonly warn: Warn;
  readonly log: Log;
}

// The agents call the server within this process, so the address is not used.
const HERE = 'http://127.0.0.1';

/**
 * `agent` is the command line of the agent for each session. It is empty if workers attach from elsewhere. Rejects with the code `usage` if a file
 * that an option names cannot be used.
 */
export async function startServer(
  plan: ServePlan,
  agent: readonly string[],
  here: Place,
  { report, log, warn }: ServerOutput,
): Promise<SessionServer> {
  const { serve } = await import('@proto/ingress/node');
  const agents = await agentsOf(plan, agent, here, report);
  const { tokenFile, access } = await accessOf(plan, here, warn).catch(throwAsUsage);
  const metricsToken = plan.metricsTokenFile && (await keepToken(plan.metricsTokenFile).catch(throwAsUsage));
  const page = plan.hasPage ? (await import('@proto/inspector')).mountInspector : undefined;
  const { hostname, port, allowedHosts, allowedOrigins, keepaliveMs, cluster, retention } = plan;
  const { store, name } = await storeOf(plan, here, warn);
  const server = await serve({
    store,
    retention,
    access,
    listen: { hostname, port, allowedHosts, allowedOrigins },
    limits: { keepaliveMs },
    cluster,
    agents,
    page,
    metricsToken,
    observer: logServer(log),
    notify: await notifyOf(plan).catch(throwAsUsage),
    onWarning: ({ file, mode }) => warn('open_to_others', adviceOn(file, mode)),
    onAccountsRestored: () => report({ type: 'accounts_restored', file: String(tokenFile) }),
    onError: (error) => report({ type: 'error', message: error instanceof Error ? error.message : String(error) }),
  });
  report({
    type: 'listening',
    base: server.url,
    token: 'token' in access ? access.token : null,
    tokenFile,
    store: name,
    startsAgents: agents !== undefined,
    ...(server.page !== undefined && { page: server.page }),
  });
  return server;
}

async function notifyOf({ notify }: ServePlan): Promise<ServeOptions['notify']> {
  if (notify === undefined) return undefined;
  const { secretFile, link, ...given } = notify;
  const linkOf = (session: string) => link?.replaceAll('{session}', encodeURIComponent(session)) ?? '';
  return { ...given, secret: await readToken(secretFile), ...(link !== undefined && { link: linkOf }) };
}

// If the program does not exist, this rejects before anything is opened.
async function agentsOf(
  { passEnv, restart, idleTimeoutMs }: ServePlan,
  agent: readonly string[],
  here: Place,
  report: ServerReport,
): Promise<ServeOptions['agents']> {
  if (agent.length === 0) return undefined;
  const { checkSessionAgent, createLocalAgents } = await import('@proto/remote/worker');
  const { env } = here;
  const program = { agent, cwd: here.cwd(), env, passEnv, variables: ownVariables(agent, env) };
  checkSessionAgent(program);
  return (server) =>
    createLocalAgents({
      ...server,
      program,
      url: (session) => sessionUrl(HERE, session),
      restart,
      idleTimeoutMs,
      onEvent: report,
      onStderr: (text, session) => report({ type: 'agent_stderr', session, text }),
    });
}

/**
 * Determines who may use the server. Reads the token or the accounts from the given file. Without a given file, reads the token from the server's
 * default file, which is created if it is missing.
 */
async function accessOf(
  { tokenFile: given, isOpen, jwt }: ServePlan,
  here: Place,
  warn: Warn,
): Promise<{ readonly tokenFile: string | null; readonly access: AccessOptions }> {
  if (isOpen) return { tokenFile: null, access: { everybody: true, jwt } };
  const tokenFile = given ?? ownTokenFile(here);
  const advice = await openToOthers(tokenFile);
  if (advice !== undefined) warn('open_to_others', advice);
  if (given === undefined) return { tokenFile, access: { token: await keepToken(tokenFile), jwt } };
  const isJson = (await readFile(given, 'utf8')).trimStart().startsWith('{');
  return { tokenFile, access: isJson ? { accountsFile: given, jwt } : { token: await readToken(given), jwt } };
}

// For the default store, the state folder is created. Only its owner can read it.
async function storeOf(
  { store }: ServePlan,
  here: Place,
  warn: Warn,
): Promise<{ readonly store: StoreOptions; readonly name: string }> {
  if (store === 'memory') return { store, name: 'memory, until this process ends' };
  if (store === 'own') {
    const folder = stateDirectory(here.cwd(), here.env);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, 'sessions.db');
    return { store: { file }, name: file };
  }
  if ('file' in store) return { store, name: store.file };
  return { store: { open: (retention) => openDatabase(store.postgres, retention, warn) }, name: store.postgres };
}

async function openDatabase(url: string, retention: ServePlan['retention'], warn: Warn) {
  const { openPostgresEventLog } = await import('@proto/log-postgres');
  try {
    return await openPostgresEventLog({ url, ...retention, onWarning: (w) => warn(w.setting, w.message) });
  } catch (error) {
    // An unreachable database is not a command-line error, but a file that cannot be opened is.
    const { code, message } = error as { code?: string; message: string };
    throw Object.assign(new Error(message, { cause: error }), { code: code === 'version' ? 'not-migrated' : 'store' });
  }
}

function throwAsUsage(error: Error): never {
  throw Object.assign(new Error(messageFor(error), { cause: error }), { code: 'usage' });
}
