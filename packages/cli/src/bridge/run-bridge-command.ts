import { checkProgram, type Endpoint } from '@proto/remote/bridge';
import { type BridgeOptions, type BridgePlan, planBridge } from './bridge-plan.ts';
import { reportAsJson, reportOnStderr } from './bridge-report.ts';
import { runListener } from './run-listener.ts';
import { runBridge } from './run-bridge.ts';
import { runWorker } from './run-worker.ts';
import { SessionError } from '@proto/remote';
import type { RunProcess } from '@proto/terminal';
import { EXIT } from '@proto/terminal/process';
import { ConnectError, missingAgent } from '@proto/terminal/errors';
import { type Taps, tapsOf } from './taps.ts';
import { ownVariables } from '../own-variables.ts';

/** `sjp bridge`: joins two endpoints, or many clients with an agent each. Fulfils with the exit code, which is that of its child where it has one. */
export async function runBridgeCommand(
  endpoints: readonly string[],
  program: readonly string[],
  options: BridgeOptions,
  here: RunProcess = process,
): Promise<number> {
  const { json = false, listen } = options;
  const onStderr = reportOnStderr(here.stderr, json);
  const report = json && listen !== undefined ? reportAsJson(here.stdout) : onStderr;
  const refuse = (error: unknown) => {
    const { message, code = 'usage' } = error as NodeJS.ErrnoException;
    const missing = missingAgent(error);
    onStderr({ type: 'error', retryable: false, ...(missing ?? { code, message }) });
    return missing === undefined ? EXIT.usage : EXIT.unreachable;
  };
  let plan: BridgePlan;
  let taps: Taps;
  try {
    plan = planBridge(endpoints, program, options, { cwd: here.cwd(), env: here.env });
    // Checked before clients come, who would find no agent.
    for (const endpoint of [plan.host, plan.agent]) {
      const variables = (words: readonly string[]) => ownVariables(words, here.env);
      if (isEndpoint(endpoint)) checkProgram(endpoint, { env: here.env, variables });
    }
    taps = tapsOf(options, (message) => report({ type: 'warning', message }));
  } catch (error) {
    return refuse(error);
  }
  const settings = { plan, openTap: taps.open, report, cwd: here.cwd(), env: here.env, signals: here };
  const { host } = plan;
  try {
    if (isEndpoint(host)) return await runBridge(settings, { host });
    return await (host.kind === 'listen' ? runListener(host, settings) : runWorker(host, settings));
  } catch (error) {
    if (error instanceof SessionError) {
      const { report: said, exitCode } = ConnectError.of(error);
      onStderr({ type: 'error', retryable: false, ...said });
      return exitCode;
    }
    // All other errors are about an endpoint, or about an address that is taken.
    return refuse(error);
  }
}

function isEndpoint(host: BridgePlan['host']): host is Endpoint {
  return typeof host === 'string' || !('kind' in host);
}
