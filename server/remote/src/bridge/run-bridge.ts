import {
  bridge,
  type BridgeSide,
  type Endpoint,
  type EndpointOptions,
  isOwnStdio,
  isProgram,
  openEndpoint,
  type Tap,
} from '@proto/remote/bridge';
import type { Transport } from '@proto/core/transport';
import { plain, type SignalSource } from '@proto/terminal/process';
import { processEndOf } from '@proto/transport-stdio';
import { clientToken } from '../token-file.ts';
import { ownVariables } from '../own-variables.ts';
import { bridgeEnd, exitCodeOfBridge } from './bridge-exit.ts';
import type { BridgePlan } from './bridge-plan.ts';
import type { BridgeReport } from './bridge-report.ts';

/** What all bridges of one command share. */
export interface BridgeSettings {
  readonly plan: BridgePlan;
  /** Opens the file that records a session; undefined if sessions are not recorded. Each client has a file of its own. */
  readonly openTap: (session?: number) => Tap | undefined;
  readonly report: BridgeReport;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signals: SignalSource;
}

/** Returns how the endpoints of a command are opened. */
export function endpointOptions({ plan, cwd, env, report }: BridgeSettings, session?: number): EndpointOptions {
  return {
    env,
    variables: (program) => ownVariables(program, env),
    token: (hostname) => clientToken({ tokenFile: plan.tokenFile, hostname, cwd, env }),
    onStderr: (text) => report({ type: 'agent_stderr', text, ...(session !== undefined && { session }) }),
  };
}

/** Joins a host with the agent of the plan until both have ended. Fulfils with the exit code. The first SIGINT goes to the child. */
export async function runBridge(
  settings: BridgeSettings,
  given: { readonly host: Endpoint } | { readonly client: Transport; readonly session: number },
): Promise<number> {
  const { plan, report } = settings;
  const session = 'session' in given ? { session: given.session } : {};
  const open = (endpoint: Endpoint): Promise<BridgeSide> =>
    openEndpoint(endpoint, endpointOptions(settings, session.session));
  const agent = await open(plan.agent);
  const host: BridgeSide =
    'client' in given
      ? given.client
      : await open(given.host).catch((error: unknown) => {
          agent.abort(error);
          throw error;
        });
  const tap = settings.openTap(session.session);
  const joined = bridge({
    host,
    agent,
    recorded: tap?.record(agent),
    // A host that has started this process reads the exit code of the agent from this process.
    tellsHost: !('host' in given && isOwnStdio(given.host) && isProgram(plan.agent)),
    onWarning: (message) => report({ type: 'warning', message: plain(message), ...session }),
  });
  const end = await bridgeEnd(joined, settings.signals);
  tap?.close();
  for (const close of [end.a, end.b]) {
    const { error } = close;
    if (error === undefined || processEndOf(close) !== undefined || end.signal !== undefined) continue;
    report({ type: 'error', code: error.code, message: error.message, retryable: error.retryable, ...session });
  }
  return exitCodeOfBridge(end);
}
