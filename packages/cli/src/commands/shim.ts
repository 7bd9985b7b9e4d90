import { encodeLine } from '@proto/core';
import { failedResult } from '@proto/core/internal';
import { parseArgv, PROTOCOL_VERSION } from '@proto/headless';
import type { ShimProcess } from '../shim/shim-process.ts';

const HELP = {
  name: 'sjp-shim',
  description: 'Stands for an agent that is elsewhere: hosts start it with the flags of an agent.',
  after: `Variables:
  SJP_SHIM_URL         where the agent is: https://HOST/v1 is a server of sessions, wss://HOST/ an agent on a WebSocket
  SJP_SHIM_TOKEN_FILE  the file with the token, read again for each link (default: SJP_TOKEN, else that of this machine)`,
};

/** `sjp-shim`, `sjp shim`: takes the command line of an agent and stands for one that is elsewhere. Gives the exit code. */
export async function shim(argv: readonly string[], here: ShimProcess = process): Promise<number> {
  const parsed = parseArgv(argv, `${PROTOCOL_VERSION} (sjp-shim)`, HELP);
  switch (parsed.kind) {
    case 'print':
      here.stdout.write(parsed.text);
      return 0;
    case 'explain':
      here.stderr.write('sjp-shim: --explain-flags is for the agent itself\n');
      return 1;
    case 'refuse':
      here.stderr.write(parsed.text);
      return 1;
    case 'run': {
      for (const warning of parsed.warnings) here.stderr.write(`${warning}\n`);
      try {
        // A host that asks for the version waits for nothing else.
        const { runShim } = await import('../shim/run-shim.ts');
        return await runShim(parsed.options, here);
      } catch (error) {
        const { message } = error as Error;
        // Hosts show what a result says; of a process that dies they show its code.
        const result = failedResult(message, parsed.options.sessionId ?? '');
        if (parsed.options.outputFormat === 'stream-json') here.stdout.write(encodeLine(result));
        here.stderr.write(`${message}\n`);
        return 1;
      }
    }
  }
}
