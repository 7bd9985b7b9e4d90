import { runBridge, type RunningBridge } from '@proto/remote/bridge';
import type { RunProcess } from '@proto/terminal';
import { onInterrupts } from '@proto/terminal/process';
import { reportAsJson, reportBridge } from '@proto/terminal/reports';
import { failureOf } from '@proto/terminal/errors';
import { ownVariables } from '../own-variables.ts';
import { tokenFinder } from '../token-file.ts';
import { type BridgeOptions, planBridge } from './bridge-plan.ts';

export async function runBridgeCommand(
  endpoints: readonly string[],
  program: readonly string[],
  options: BridgeOptions,
  here: RunProcess = process,
): Promise<number> {
  const { json = false, listen, tap, tokenFile } = options;
  const onStderr = reportBridge(here.stderr, { name: 'sjp bridge', json });
  const onEvent = json && listen !== undefined ? reportAsJson(here.stdout) : onStderr;
  try {
    const sides = planBridge(endpoints, program, options, here);
    const variables = (words: readonly string[]) => ownVariables(words, here.env);
    const token = tokenFinder(tokenFile, here);
    return await untilEnd(await runBridge({ ...sides, tap, env: here.env, variables, token, onEvent }), here);
  } catch (error) {
    const failure = failureOf(error);
    onStderr({ type: 'error', retryable: false, ...failure });
    return failure.exitCode;
  }
}

/** The first SIGINT interrupts the agent. The second SIGINT, or SIGTERM, ends both sides. The third SIGINT ends them immediately. */
async function untilEnd({ closed, abort, ...bridge }: RunningBridge, here: RunProcess): Promise<number> {
  const leave = onInterrupts(here, { ...bridge, kill: abort });
  return closed.finally(leave);
}
