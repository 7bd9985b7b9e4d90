import { bridge, startProgram } from '@proto/remote/bridge';
import type { Transport } from '@proto/core/transport';
import type { RunProcess } from '@proto/terminal';
import { missingAgent } from '@proto/terminal/errors';
import { EXIT } from '@proto/terminal/process';
import { createStdioTransport, type SpawnedAgent } from '@proto/transport-stdio';
import { bridgeEnd, exitCodeOfBridge } from '../bridge/bridge-exit.ts';
import { ownVariables } from '../own-variables.ts';

/** Variables for an agent, beside those that it inherits. */
export type Variables = Readonly<Record<string, string>>;

/** Thrown where a cassette cannot be recorded or played at all. */
export class CassetteFailure extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, error: unknown) {
    super((error as Error).message, { cause: error });
    this.exitCode = exitCode;
  }
}

/**
 * Starts the agent of a cassette.
 * @throws {CassetteFailure} there is no such agent.
 */
export async function startAgent(
  agent: readonly string[],
  variables: Variables,
  { env, stderr }: RunProcess,
): Promise<SpawnedAgent> {
  const child = startProgram(agent, {
    env,
    variables: (program) => ({ ...ownVariables(program, env), ...variables }),
    onStderr: (text) => stderr.write(text),
  });
  await child.opened.catch((error: unknown) => {
    const missing = missingAgent(error);
    throw new CassetteFailure(EXIT.unreachable, missing === undefined ? error : new Error(missing.text));
  });
  return child;
}

/** Joins the host at stdin and stdout with an agent. Fulfils with the exit code of the agent. */
export async function joinHost(child: SpawnedAgent, recorded: Transport, here: RunProcess): Promise<number> {
  const host = createStdioTransport({ input: here.stdin, output: here.stdout });
  const joined = bridge({ host, agent: child, recorded, tellsHost: false });
  return exitCodeOfBridge(await bridgeEnd(joined, here));
}

/** Runs a command on cassettes. Fulfils with its exit code, also where it fails; stderr says why. */
export async function orExplain(command: string, here: RunProcess, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof CassetteFailure)) throw error;
    here.stderr.write(`sjp cassette ${command}: ${error.message}\n`);
    return error.exitCode;
  }
}
