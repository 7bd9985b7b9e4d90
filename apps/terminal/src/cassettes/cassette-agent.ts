import { bridge, startProgram } from '@proto/remote/bridge';
import type { Transport } from '@proto/core/transport';
import { createStdioTransport, type SpawnedAgent } from '@proto/transport-stdio';
import { missingAgent } from '../errors.ts';
import { EXIT } from '../process/exit-code.ts';
import { messageFor } from '../process/file-reason.ts';
import { onInterrupts } from '../process/signals.ts';
import type { RunProcess } from '../run/run-plan.ts';

/** How a cassette is recorded or played. */
export interface CassetteOptions {
  /** The name of the program in texts for users, such as `sjp cassette play`. */
  readonly name: string;
  /** Returns environment variables for the command line of the agent, in addition to the variables that agents inherit. Default: none. */
  readonly variables?: (commandLine: readonly string[]) => Readonly<Record<string, string>>;
}

/** Environment variables for an agent, in addition to the variables that it inherits. */
export type Variables = Readonly<Record<string, string>>;

/** Thrown if a cassette cannot be recorded or played at all. */
export class CassetteFailure extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, error: unknown) {
    super(messageFor(error as Error), { cause: error });
    this.exitCode = exitCode;
  }
}

/**
 * Starts the agent of a cassette.
 * @throws {CassetteFailure} if the agent cannot be started.
 */
export async function startAgent(
  agent: readonly string[],
  tape: Variables,
  { variables }: CassetteOptions,
  { env, stderr }: RunProcess,
): Promise<SpawnedAgent> {
  const child = startProgram(agent, {
    env,
    variables: (program) => ({ ...variables?.(program), ...tape }),
    onStderr: (text) => stderr.write(text),
  });
  await child.opened.catch((error: unknown) => {
    const missing = missingAgent(error);
    throw new CassetteFailure(EXIT.unreachable, missing === undefined ? error : new Error(missing.text));
  });
  return child;
}

/** Connects the host at stdin and stdout with an agent. Fulfils with the exit code of the agent. */
export async function joinHost(child: SpawnedAgent, recorded: Transport, here: RunProcess): Promise<number> {
  const host = createStdioTransport({ input: here.stdin, output: here.stdout });
  const joined = bridge({ host, agent: child, recorded, reportsAgentFailure: false });
  const leave = onInterrupts(here, {
    interrupt: () => joined.interrupt(),
    close: () => joined.close(),
    kill: () => joined.abort(),
  });
  const { exitCode } = await joined.closed;
  leave();
  return exitCode;
}

/**
 * Runs a command on cassettes. Fulfils with the exit code of the command. If the command fails, the promise still fulfils, and the reason is written
 * to stderr.
 */
export async function orExplain(
  { name }: CassetteOptions,
  here: RunProcess,
  run: () => Promise<number>,
): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof CassetteFailure)) throw error;
    here.stderr.write(`${name}: ${error.message}\n`);
    return error.exitCode;
  }
}
