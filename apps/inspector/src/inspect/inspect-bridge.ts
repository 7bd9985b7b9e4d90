import { basename } from 'node:path';
import {
  checkProgram,
  type Endpoint,
  isOwnStdio,
  isWorkerAddress,
  runBridge,
  type RunBridgeOptions,
  type RunningBridge,
} from '@proto/remote/bridge';
import { type InspectedSessions, oneSession } from '../server/inspected-sessions.ts';
import { BridgedSession } from '../sessions/bridged-session.ts';
import { absentHost, isHostAbsent } from './absent-host.ts';

/** A host and an agent that are joined, as by `runBridge` of `@proto/remote/bridge`. */
export interface InspectedBridge {
  readonly host: Endpoint;
  readonly agent: Endpoint;
  /** The file that keeps what the bridge carries, as a recording with all secrets. Default: a private file that is removed at the end. */
  readonly tap?: string | undefined;
}

/** What the programs and links of a bridge get, and what happens to them. */
export type BridgeSettings = Pick<RunBridgeOptions, 'env' | 'variables' | 'token' | 'onEvent'>;

/**
 * Prepares a bridge whose session is shown. `run` opens both sides.
 *
 * @throws AgentNotFoundError if a program does not exist
 * @throws Error for a host that is the address of a worker
 */
export function inspectBridge(
  { host, agent, tap }: InspectedBridge,
  settings: BridgeSettings,
): { readonly sessions: InspectedSessions; run(): Promise<RunningBridge>; close(): void } {
  if (isWorkerAddress(host)) {
    throw new Error('the worker of a session is not inspected: give the URL of the server, and --session');
  }
  for (const endpoint of [host, agent]) checkProgram(endpoint, settings);
  const session = new BridgedSession({ path: tap });
  const name = typeof agent === 'string' ? agent : basename(agent[0] ?? 'agent');
  return {
    // An address may hold a secret in its query.
    sessions: oneSession('bridge', name.replace(/[?#].*/, ''), session),
    run: () =>
      runBridge({
        ...settings,
        host: isOwnStdio(host) && isHostAbsent() ? absentHost() : host,
        agent,
        tap: session,
      }),
    close: () => session.dispose(),
  };
}
