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

/** A host and an agent that are connected, as with `runBridge` of `@proto/remote/bridge`. */
export interface InspectedBridge {
  readonly host: Endpoint;
  readonly agent: Endpoint;
  /** The file in which the messages of the bridge are recorded, including all secrets. Default: a private file, which is removed at the end. */
  readonly tap?: string | undefined;
}

/** The environment and credentials for the programs and links of a bridge, and the callbacks for its events. */
export type BridgeSettings = Pick<RunBridgeOptions, 'env' | 'variables' | 'token' | 'onEvent'>;

/**
 * Prepares a bridge whose session is shown. `run` opens both sides.
 *
 * @throws AgentNotFoundError if a program does not exist
 * @throws Error if the host is the address of a worker
 */
export function inspectBridge(
  { host, agent, tap }: InspectedBridge,
  settings: BridgeSettings,
): { readonly sessions: InspectedSessions; run(): Promise<RunningBridge>; close(): void } {
  if (isWorkerAddress(host)) {
    throw new Error('the worker of a session cannot be inspected: give the URL of the server, and --session');
  }
  for (const endpoint of [host, agent]) checkProgram(endpoint, settings);
  const session = new BridgedSession({ path: tap });
  const name = typeof agent === 'string' ? agent : basename(agent[0] ?? 'agent');
  return {
    // The query of an address may contain a secret.
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
 * Whether the stdin of this process cannot have any input, because it is the null device, as for a background command or a service. The end of such
 * an input does not mean that a host has disconnected.
 */
function isHostAbsent(): boolean {
  return process.stdin.isTTY !== true && fstatSync(process.stdin.fd).isCharacterDevice();
}

/**
 * Returns the host side for a bridge without a host: it sends nothing and does not end, so that only the page drives the agent. The agent's messages
 * are written to stdout.
 */
function absentHost(): Transport {
  return createStdioTransport({ input: new PassThrough(), output: process.stdout });
}
