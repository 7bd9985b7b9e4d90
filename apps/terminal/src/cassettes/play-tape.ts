import { readFile } from 'node:fs/promises';
import { aboutHost } from '@proto/remote/bridge';
import {
  CassetteError,
  type CassettePlay,
  type CassettePlayer,
  type ChangedAnswers,
  playCassette,
} from '@proto/testkit/cassettes';
import { refuseBytes } from '../files/peek-file.ts';
import { EXIT } from '../process/exit-code.ts';
import { onInterrupts } from '../process/signals.ts';
import type { RunProcess } from '../run/run-plan.ts';
import { CassetteFailure, type CassetteOptions, startAgent } from './cassette-agent.ts';

/** The outcome of playing a host's tape to an agent. */
export interface TapePlay {
  readonly play: CassettePlay;
  /** The exit code for the signal that ended the play; undefined if no signal arrived. */
  readonly signalCode: number | undefined;
}

/**
 * Opens a cassette.
 * @throws {CassetteFailure} if the file cannot be read, or is not a cassette.
 */
export async function openTape(file: string, name: string): Promise<CassettePlayer> {
  try {
    const bytes = await readFile(file);
    refuseBytes(bytes, file, name, 'recording');
    return await playCassette(bytes.toString('utf8'));
  } catch (error) {
    throw new CassetteFailure(EXIT.usage, error);
  }
}

/**
 * Plays the host and the Messages API of a cassette to an agent, and closes the cassette. If `agent` has no arguments, the recorded arguments are
 * used.
 * @throws {CassetteFailure} if the agent cannot be started, or if the frame of a changed answer is not a permission request.
 */
export async function playTape(
  opened: CassettePlayer,
  agent: readonly string[],
  options: CassetteOptions,
  here: RunProcess,
  answers: ChangedAnswers = new Map(),
): Promise<TapePlay> {
  await using player = opened;
  const { launch } = player.header;
  const args = agent.length === 1 ? (launch?.args ?? []) : [];
  // Only these variables are taken from the file, so that a file cannot change which programs run.
  const { CLAUDE_CODE_ENTRYPOINT } = launch?.env ?? {};
  const named = { ...aboutHost(launch?.env ?? {}), ...(CLAUDE_CODE_ENTRYPOINT && { CLAUDE_CODE_ENTRYPOINT }) };
  const variables = { ...player.env, ...named };
  const child = await startAgent([...agent, ...args], variables, options, here);
  let signalCode: number | undefined;
  const stop = (code: number) => {
    signalCode ??= code;
    child.child.terminate();
  };
  const leave = onInterrupts(here, {
    interrupt: () => stop(EXIT.interrupted),
    close: () => stop(EXIT.terminated),
    kill: () => child.abort(),
  });
  try {
    return { play: await player.drive(child, { answers }), signalCode };
  } catch (error) {
    throw error instanceof CassetteError ? new CassetteFailure(EXIT.usage, error) : error;
  } finally {
    leave();
    child.abort();
  }
}
