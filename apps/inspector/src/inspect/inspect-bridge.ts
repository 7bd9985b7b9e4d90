import { fstatSync } from 'node:fs';
import { basename } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Transport } from '@proto/core/transport';
import {
  checkProgram,
  type Endpoint,
  isOwnStdio,
  isWorkerAddress,
  runBridge,
  type RunBridgeOptions,
  type RunningBridge,
} from '@proto/remote/bridge';
import { createStdioTransport } from '@proto/transport-stdio';
import { type InspectedSessions, oneSession } from '../server/inspected-sessions.ts';
import { BridgedSession } from '../sessions/bridged-session.ts';

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

/**
 * Whether stdin of this process cannot have any input: stdin is the null device, as for a command in the background or in a service. The end of such
 * an input does not mean that a host has left.
 */
function isHostAbsent(): boolean {
  return process.stdin.isTTY !== true && fstatSync(process.stdin.fd).isCharacterDevice();
}

/** The side of a host that sends nothing and does not end, so that the page alone drives the agent. What the agent sends goes to stdout. */
function absentHost(): Transport {
  return createStdioTransport({ input: new PassThrough(), output: process.stdout });
}
