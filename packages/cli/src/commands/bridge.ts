import { checkProgram, type Endpoint, type Tap } from '@proto/bridge';
import { type BridgeOptions, type BridgePlan, planBridge } from '../bridge/bridge-plan.ts';
import { reportAsJson, reportOnStderr } from '../bridge/bridge-report.ts';
import { runListener } from '../bridge/run-listener.ts';
import { runBridge } from '../bridge/run-bridge.ts';
import { runWorker } from '../bridge/run-worker.ts';
import { SessionError } from '@proto/remote';
import type { RunProcess } from '@proto/terminal';
import { EXIT } from '@proto/terminal/process';
import { ConnectError, missingAgent } from '@proto/terminal/errors';
import { openTapFile, tapFileOf } from '../bridge/tap-file.ts';
import { ownVariables } from '../own-variables.ts';

/** `sjp bridge`: joins two endpoints, or many clients with an agent each. Gives the exit code, that of its child where it has one. */
export async function bridge(
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
    // Ahead of the clients, who would find nobody.
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
    // An endpoint that means nothing, an address that is taken.
    return refuse(error);
  }
}

interface Taps {
  open(session?: number): Tap | undefined;
}

/** The file of `--tap`, or one for each of many clients. Throws where the one cannot be written; of the others that is told. */
function tapsOf({ tap: file, multi = false }: BridgeOptions, warn: (text: string) => void): Taps {
  if (file === undefined) return { open: () => undefined };
  const openFile = (path: string) => openTapFile(path, ({ message }) => warn(`the tap has ended: ${message}`));
  if (!multi) {
    const tap = openFile(file);
    return { open: () => tap };
  }
  return {
    open(session = 0) {
      try {
        return openFile(tapFileOf(file, session));
      } catch (error) {
        warn(`there is no tap: ${(error as Error).message}`);
        return undefined;
      }
    },
  };
}

function isEndpoint(host: BridgePlan['host']): host is Endpoint {
  return typeof host === 'string' || !('kind' in host);
}
