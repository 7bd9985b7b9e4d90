import type { Transport } from '@proto/core/transport';
import type { BridgeEvent } from './bridge-event.ts';
import { bridgeHosts, type HostAddress } from './bridge-hosts.ts';
import { bridgeWorker, isWorkerAddress, parseWorkerAddress } from './bridge-worker.ts';
import { checkProgram, type Endpoint, type EndpointOptions, isEndpoint } from './endpoint.ts';
import { joinSides, type RunningBridge } from './join-sides.ts';
import type { Tap } from './tap.ts';
import { openTaps } from './taps.ts';

export type { BridgeEvent } from './bridge-event.ts';
export type { HostAddress } from './bridge-hosts.ts';
export type { RunningBridge } from './join-sides.ts';

/** What to connect, and with which rights. */
export interface RunBridgeOptions extends Omit<EndpointOptions, 'onStderr'> {
  /**
   * The host's side: an endpoint, an open transport, or an address at which hosts connect. If `host` is the address of a session on a server with
   * `/worker` at its end, `agent` becomes the worker of that session.
   */
  readonly host: Endpoint | Transport | HostAddress;
  /** The agent's side. A program gets exactly these arguments, so they must include the flags of the protocol. */
  readonly agent: Endpoint;
  /**
   * Records what both sides send, including all secrets. The value is the name of a file, which only its owner can read, or the caller's own tap. If
   * there are several hosts, each host gets its own file, with the number of the host in its name, such as `wire.2.jsonl`. Default: nothing is
   * recorded.
   */
  readonly tap?: string | Tap | undefined;
  /** Called with each event of the bridge. */
  readonly onEvent: (event: BridgeEvent) => void;
}

const NO_PROGRAM = 'A is the address of a session with /worker at its end: give the worker as a command after --';

/**
 * Runs a bridge in one of three ways: opens two sides and connects them until both have ended, accepts hosts at an address, each with its own agent,
 * or runs a program as the worker of a session. Fulfils when the sides are open or hosts can connect. Stop the bridge with `interrupt`, `close` or
 * `abort`. Signals are not handled.
 *
 * @throws AgentNotFoundError if a program does not exist, before anything is opened
 * @throws SessionError if a session does not exist or the token does not allow this
 * @throws Error for an invalid endpoint, a tap that cannot be written, an address that is in use, and the errors of `token`
 */
export async function runBridge(options: RunBridgeOptions): Promise<RunningBridge> {
  const { host, agent, tap, onEvent: report } = options;
  if (isWorkerAddress(agent)) throw new Error(NO_PROGRAM);
  const worker = isEndpoint(host) && isWorkerAddress(host) ? parseWorkerAddress(host) : undefined;
  if (worker !== undefined && typeof agent === 'string') throw new Error(NO_PROGRAM);
  if (worker !== undefined && tap !== undefined) {
    throw new Error('--tap cannot be used with the worker of a session: the server keeps all messages of the session');
  }
  // This is checked before hosts connect, because they would otherwise find no agent.
  for (const side of [host, agent]) if (isEndpoint(side)) checkProgram(side, options);
  const isForSeveral = isAddress(host) && (host.maxHosts ?? 1) > 1;
  const taps = openTaps(tap, isForSeveral, (message) => report({ type: 'warning', message }));
  const settings = { ...options, taps, report };
  if (worker !== undefined) return bridgeWorker(worker, agent, settings);
  return isAddress(host) ? bridgeHosts(host, settings) : joinSides(settings, host);
}

function isAddress(host: RunBridgeOptions['host']): host is HostAddress {
  return typeof host === 'object' && 'hostname' in host;
}
