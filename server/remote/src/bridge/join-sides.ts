import type { Transport } from '@proto/core/transport';
import { processEndOf } from '@proto/transport-stdio';
import { type Bridge, bridge, type BridgeSide } from './bridge.ts';
import type { BridgeEvent } from './bridge-event.ts';
import { type Endpoint, type EndpointOptions, isEndpoint, isOwnStdio, isProgram, openEndpoint } from './endpoint.ts';
import type { Taps } from './taps.ts';

/** The settings that all pairs of host and agent in a bridge share. */
export interface BridgeSettings extends Omit<EndpointOptions, 'onStderr'> {
  readonly agent: Endpoint;
  readonly taps: Taps;
  readonly report: (event: BridgeEvent) => void;
}

/** A bridge that is running. */
export interface RunningBridge extends Pick<Bridge, 'interrupt' | 'close' | 'abort'> {
  /** Fulfils with the exit code for a program that stands in for the agent (see `BridgeEnd`) when all sides have ended. */
  readonly closed: Promise<number>;
}

/**
 * Connects a host with the agent of a bridge. `session` is the number of the host, if hosts connect to the bridge. Rejects if a side cannot be
 * opened.
 */
export async function joinSides(
  settings: BridgeSettings,
  host: Endpoint | Transport,
  session?: number,
): Promise<RunningBridge> {
  const of = session === undefined ? {} : { session };
  const report = (event: BridgeEvent) => settings.report({ ...event, ...of });
  const open = (endpoint: Endpoint): Promise<BridgeSide> =>
    openEndpoint(endpoint, { ...settings, onStderr: (text) => report({ type: 'agent_stderr', text }) });
  const agent = await open(settings.agent);
  const side: BridgeSide = !isEndpoint(host)
    ? host
    : await open(host).catch((error: unknown) => {
        agent.abort(error);
        throw error;
      });
  const tap = settings.taps.open(session);
  const joined = bridge({
    host: side,
    agent,
    recorded: tap?.record(agent),
    // If the host started this process, it reads the agent's exit code from this process.
    reportsAgentFailure: !(isEndpoint(host) && isOwnStdio(host) && isProgram(settings.agent)),
    onWarning: (message) => report({ type: 'warning', message }),
  });
  const closed = joined.closed.then((end) => {
    tap?.close();
    for (const close of [end.a, end.b]) {
      const { error } = close;
      if (error === undefined || processEndOf(close) !== undefined || end.stoppedBy !== undefined) continue;
      report({ type: 'error', code: error.code, message: error.message, retryable: error.retryable });
    }
    return end.exitCode;
  });
  return { ...joined, closed };
}
