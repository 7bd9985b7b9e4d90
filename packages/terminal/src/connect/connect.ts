import { ConnectError } from './connect-error.ts';
import { SessionError } from '@proto/remote';
import { runConnect } from './run-connect.ts';
import { createConnectNotices } from './connect-notices.ts';
import { type ConnectOptions, type ConnectPlan, planConnect } from './connect-plan.ts';
import { EXIT } from '../run/exit-code.ts';
import type { RunProcess } from '../run/run-plan.ts';

/** Gives a session of a server to stdin and stdout. Gives the exit code. */
export async function connectSession(address: string, options: ConnectOptions, here: RunProcess): Promise<number> {
  const notices = createConnectNotices(here.stderr, options.format !== 'text');
  let plan: ConnectPlan;
  try {
    plan = planConnect(address, options);
  } catch (error) {
    notices.error({ code: 'usage', message: (error as Error).message });
    return EXIT.usage;
  }
  try {
    return await runConnect(plan, options, here, notices);
  } catch (error) {
    if (error instanceof SessionError) {
      const { report, exitCode } = ConnectError.of(error);
      notices.error(report);
      return exitCode;
    }
    // What is left are files that were named.
    notices.error({ code: 'usage', message: (error as Error).message });
    return EXIT.usage;
  }
}
