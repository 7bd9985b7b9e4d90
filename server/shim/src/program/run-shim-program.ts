import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { type HeadlessOptions, parseArgv, PROTOCOL_VERSION, type SignalSource, stateDirectory } from '@proto/headless';
import type { ShimOptions } from '../shim-options.ts';

/** The process in which a shim runs, such as `process`. */
export interface ShimProcess extends SignalSource {
  /** Where the host writes messages or the prompt. */
  readonly stdin: Readable;
  /** Where the output of the agent is written. */
  readonly stdout: Writable;
  /** Where warnings and errors are written. */
  readonly stderr: Writable;
  /** The environment variables, such as `SJP_SHIM_URL`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns the working folder, as an absolute path. */
  cwd(): string;
}

const HELP = {
  name: 'sjp-shim',
  description: 'Acts as an agent that runs on another machine: hosts start this program with the flags of an agent.',
  after: `Variables:
  SJP_SHIM_URL         the address of the agent: https://HOST/v1 for a session server, wss://HOST/ for an agent on a WebSocket
  SJP_SHIM_TOKEN_FILE  the file with the token, read again for each connection (default: SJP_TOKEN, else the token of the server on this machine)`,
};

/**
 * Runs the executable of a shim: it accepts the command line of an agent, and stands in for the agent at the address in `SJP_SHIM_URL`. The token is
 * in the file that `SJP_SHIM_TOKEN_FILE` names, in `SJP_TOKEN`, or in the token file of the server on this machine. Fulfils with the exit code that
 * an agent executable would have. If the shim cannot start, the reason is written to stderr. Never rejects because of the command line, the host or
 * the agent.
 */
export async function runShimProgram(argv: readonly string[], here: ShimProcess): Promise<number> {
  const parsed = parseArgv(argv, `${PROTOCOL_VERSION} (sjp-shim)`, HELP);
  switch (parsed.kind) {
    case 'print':
      here.stdout.write(parsed.text);
      return 0;
    case 'explain':
      here.stderr.write('sjp-shim: --explain-flags works only with the agent itself\n');
      return 1;
    case 'auth': {
      // The agent is signed in on the machine where it runs.
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
      // This is loaded here so that `--version` answers fast.
      const { failureOutput, runShim } = await import('../index.ts');
      try {
        return await runShim(await shimOptions(parsed.options, here));
      } catch (error) {
        const { stdout, stderr, code } = failureOutput(error as Error, parsed.options);
        if (stdout !== '') here.stdout.write(stdout);
        here.stderr.write(stderr);
        return code;
      }
    }
  }
}

async function shimOptions(options: HeadlessOptions, here: ShimProcess): Promise<ShimOptions> {
  const { SJP_SHIM_URL: url, SJP_SHIM_TOKEN_FILE: tokenFile, SJP_TOKEN: token } = here.env;
  if (!url)
    throw new Error('SJP_SHIM_URL is not set: set it to the address of the agent, such as https://box.example/v1');
  const { createTokenFinder } = await import('@proto/remote/node');
  const cwd = here.cwd();
  const state = stateDirectory(cwd, here.env);
  return {
    options,
    url,
    token: createTokenFinder({ tokenFile: tokenFile || undefined, token, serverFile: join(state, 'token') }),
    sessionsFile: join(state, 'remote-sessions.jsonl'),
    cwd,
    readsSessionState: here.env['CLAUDE_CODE_SDK_READS_SESSION_STATE'] === '1',
    stdin: here.stdin,
    stdout: here.stdout,
    onStderr: (text) => void here.stderr.write(text),
    signals: here,
  };
}
