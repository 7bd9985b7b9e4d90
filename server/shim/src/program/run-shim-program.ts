import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { type HeadlessOptions, parseArgv, PROTOCOL_VERSION, type SignalSource, stateDirectory } from '@proto/headless';
import type { ShimOptions } from '@proto/shim';

/** The process that a shim runs in. */
export interface ShimProcess extends SignalSource {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
}

const HELP = {
  name: 'sjp-shim',
  description: 'Stands in for an agent that runs elsewhere: hosts start it with the flags of an agent.',
  after: `Variables:
  SJP_SHIM_URL         where the agent is: https://HOST/v1 is a server of sessions, wss://HOST/ an agent on a WebSocket
  SJP_SHIM_TOKEN_FILE  the file with the token, read again for each link (default: SJP_TOKEN, else the token of the server on this machine)`,
};

/** `sjp-shim`, `sjp shim`: takes the command line of an agent, and stands in for an agent that runs elsewhere. Fulfils with the exit code. */
export async function shim(argv: readonly string[], here: ShimProcess = process): Promise<number> {
  const parsed = parseArgv(argv, `${PROTOCOL_VERSION} (sjp-shim)`, HELP);
  switch (parsed.kind) {
    case 'print':
      here.stdout.write(parsed.text);
      return 0;
    case 'explain':
      here.stderr.write('sjp-shim: --explain-flags is for the agent itself\n');
      return 1;
    case 'auth': {
      // The agent has its sign-in where it runs.
      const { runAuthCommand } = await import('@proto/headless/auth');
      const { stdout, stderr, code } = await runAuthCommand(parsed.command, 'sjp-shim');
      here.stdout.write(stdout);
      here.stderr.write(stderr);
      return code;
    }
    case 'refuse':
      here.stderr.write(parsed.text);
      return 1;
    case 'run': {
      for (const warning of parsed.warnings) here.stderr.write(`${warning}\n`);
      // Loaded here, so that `--version` answers fast.
      const { failureOutput, runShim } = await import('@proto/shim');
      try {
        return await runShim(shimOptions(parsed.options, here));
      } catch (error) {
        const { stdout, stderr, code } = failureOutput(error as Error, parsed.options);
        if (stdout !== '') here.stdout.write(stdout);
        here.stderr.write(stderr);
        return code;
      }
    }
  }
}

function shimOptions(options: HeadlessOptions, here: ShimProcess): ShimOptions {
  const { SJP_SHIM_URL: url, SJP_SHIM_TOKEN_FILE: tokenFile } = here.env;
  if (!url) throw new Error('SJP_SHIM_URL is not set: it says where the agent is, such as https://box.example/v1');
  const cwd = here.cwd();
  return {
    options,
    url,
    async token(hostname) {
      const { clientToken } = await import('../network/token-file.ts');
      return clientToken({ tokenFile: tokenFile || undefined, hostname, cwd, env: here.env });
    },
    sessionsFile: join(stateDirectory(cwd, here.env), 'remote-sessions.jsonl'),
    cwd,
    readsSessionState: here.env['CLAUDE_CODE_SDK_READS_SESSION_STATE'] === '1',
    stdin: here.stdin,
    stdout: here.stdout,
    onStderr: (text) => void here.stderr.write(text),
    signals: here,
  };
}
