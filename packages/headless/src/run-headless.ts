import type { Readable, Writable } from 'node:stream';
import { type RunTurn, runAgent } from '@proto/core';
import { createStdioTransport } from '@proto/transport-stdio';
import { type HeadlessOptions, parseArgv } from './parse-argv.ts';

/** The agent version whose protocol is spoken. Hosts read it from `-v` and warn about old ones. */
export const PROTOCOL_VERSION = '2.1.328';

// What the real agent takes; hosts send whole files in one line.
const MAX_LINE_BYTES = 256 * 1024 * 1024;

export interface HeadlessEnvironment {
  readonly runTurn: RunTurn;
  /** The name behind the version that `-v` prints. */
  readonly name: string;
  /** The arguments behind the program's name. Default those of this process. */
  readonly argv?: readonly string[];
  readonly stdin?: Readable;
  readonly stdout?: Writable;
  readonly stderr?: Writable;
  /** Called last, with everything written. Default `process.exit`. */
  readonly exit?: (code: number) => void;
}

/**
 * Is an agent executable: reads the command line, speaks stream-json on stdin and stdout until stdin ends, and exits with 0, or
 * with 1 after an error result, bad input or a bad command line.
 */
export async function runHeadless(environment: HeadlessEnvironment): Promise<void> {
  const { name, argv = process.argv.slice(2), stdout = process.stdout, stderr = process.stderr } = environment;
  const exit = environment.exit ?? ((code) => process.exit(code));
  const parsed = parseArgv(argv, `${PROTOCOL_VERSION} (${name})`);
  switch (parsed.kind) {
    case 'print':
      await written(stdout, parsed.text);
      return exit(0);
    case 'refuse':
      await written(stderr, parsed.text);
      return exit(1);
    case 'run':
      return exit(await serve(environment, parsed.options));
  }
}

/** Runs the session; gives the exit code. */
async function serve(environment: HeadlessEnvironment, options: HeadlessOptions): Promise<number> {
  const { runTurn, stdin = process.stdin, stdout = process.stdout, stderr = process.stderr } = environment;
  const { sessionId, model, permissionMode, includePartialMessages } = options;
  const transport = createStdioTransport({ input: stdin, output: stdout, maxLineBytes: MAX_LINE_BYTES });
  const init = {
    claude_code_version: PROTOCOL_VERSION,
    cwd: process.cwd(),
    ...(model !== undefined && { model }),
    ...(permissionMode !== undefined && { permissionMode }),
  };
  try {
    const outcome = await runAgent(transport, {
      runTurn,
      includePartialMessages,
      ...(sessionId !== undefined && { sessionId }),
      init: () => init,
    });
    return outcome.isError ? 1 : 0;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    await written(stderr, `${text.startsWith('Error ') ? '' : 'Error: '}${text}\n`);
    return 1;
  }
}

function written(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve) => stream.write(text, () => resolve()));
}
