import { type Transport, TransportError } from '@proto/core/transport';
import { processEndOf, type SpawnedAgent } from '@proto/transport-stdio';
import { type Endpoint, isOwnStdio, isProgram, openEndpoint } from '../network/endpoint.ts';
import { onInterrupts } from '../run/interrupts.ts';
import type { SignalSource } from '../signals.ts';
import { exitCodeOfBridge } from './bridge-exit.ts';
import type { BridgePlan } from './bridge-plan.ts';
import type { BridgeReport } from './bridge-report.ts';
import { join } from './join.ts';
import type { TapFile } from './tap-file.ts';

/** What every bridge of one command has in common. */
export interface BridgeSettings {
  readonly plan: BridgePlan;
  /** Opens the file that a session is recorded in, where it is to be; of clients each has one of its own. */
  readonly openTap: (session?: number) => TapFile | undefined;
  readonly report: BridgeReport;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signals: SignalSource;
}

type Side = Transport & Partial<Pick<SpawnedAgent, 'pid' | 'child'>>;

/** Joins a host with the agent of the plan until both are gone; fulfils with the exit code. The first signal is the child's. */
export async function runBridge(
  { plan, openTap, report, cwd, env, signals }: BridgeSettings,
  given: { readonly host: Endpoint } | { readonly client: Transport; readonly session: number },
): Promise<number> {
  const session = 'session' in given ? { session: given.session } : {};
  const fail = (error: TransportError) => {
    report({ type: 'error', code: error.code, message: error.message, retryable: error.retryable, ...session });
  };
  const open = (endpoint: Endpoint): Promise<Side> =>
    openEndpoint(endpoint, {
      tokenFile: plan.tokenFile,
      cwd,
      env,
      onStderr: (text) => report({ type: 'agent_stderr', text, ...session }),
    });
  const agent = await open(plan.agent);
  const host: Side =
    'client' in given
      ? given.client
      : await open(given.host).catch((error: unknown) => {
          agent.abort(error);
          throw error;
        });
  const sides = [host, agent];
  const children = sides.filter(({ pid }) => pid !== undefined);
  let signal: 'SIGINT' | 'SIGTERM' | undefined;
  const leave = onInterrupts(signals, {
    interrupt() {
      signal = 'SIGINT';
      if (children.length === 0) void host.close();
      for (const { pid } of children) interruptProcess(pid as number);
    },
    close() {
      signal ??= 'SIGTERM';
      if (children.length === 0) for (const side of sides) void side.close();
      for (const { child } of children) child?.terminate();
    },
    kill() {
      for (const side of sides) side.abort();
    },
  });
  const tap = openTap(session.session);
  const end = await join({
    host,
    agent: tap?.record(agent) ?? agent,
    // Whoever has started us hears of our child by the exit code, which is the same.
    tellsHost: !('host' in given && isOwnStdio(given.host) && isProgram(plan.agent)),
    warn: (message) => report({ type: 'warning', message, ...session }),
  });
  leave();
  tap?.close();
  for (const close of [end.a, end.b]) {
    if (close.error !== undefined && processEndOf(close) === undefined && signal === undefined) fail(close.error);
  }
  return exitCodeOfBridge({ ...end, signal });
}

function interruptProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGINT');
  } catch {
    // It has just left.
  }
}
