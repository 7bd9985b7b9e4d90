import { readFile } from 'node:fs/promises';
import { ProtocolError } from '@proto/core';
import type { Transport } from '@proto/core/transport';
import { type MatchMode, parseRecording, type Recording, replay, type Side } from '@proto/recording';
import { createStdioTransport, inheritEnvironment, spawnAgent } from '@proto/transport-stdio';
import { EXIT, exitCodeOf } from '../process/exit-code.ts';
import { messageFor } from '../process/file-reason.ts';
import { refuseBytes } from './peek-file.ts';
import { LAUNCH } from '../run/run-agent.ts';
import type { RunProcess } from '../run/run-plan.ts';

/** Which side of a recording to play, and how. */
export interface ReplayOptions {
  /** The name of the program in texts for users, such as `sjp replay`. */
  readonly name: string;
  /** The side to play. The other side is the program under test. */
  readonly as: Side;
  /** The speed relative to the recording. `Infinity` plays without pauses. */
  readonly speed: number;
  /** How exactly the live side must repeat the recording: `strict`, `ids` or `shape`. */
  readonly match: MatchMode;
  /** Returns environment variables for the command line of the agent, in addition to the variables that agents inherit. Default: none. */
  readonly variables?: (commandLine: readonly string[]) => Readonly<Record<string, string>>;
}

const PEERS: Readonly<Record<Side, string>> = { agent: 'a host', host: 'an agent' };
const READ = 'To read the recording, use sjp explain or sjp inspect.';

/**
 * Plays one side of a recording to an agent, or to the program at stdin and stdout if `agent` is empty. Fulfils with the exit code: 6 if the live
 * side deviates from the recording, 2 for a file that is not a recording.
 */
export async function replayFile(
  file: string,
  agent: readonly string[],
  options: ReplayOptions,
  here: Pick<RunProcess, 'stdin' | 'stdout' | 'stderr' | 'env'>,
): Promise<number> {
  const fail = (error: unknown) => void here.stderr.write(`${options.name}: ${messageFor(error as Error)}\n`);
  const recording = await readRecording(file, options.name).catch(fail);
  if (recording === undefined) return EXIT.usage;
  const isAlone = agent.length === 0;
  if (isAlone && here.stdin.isTTY === true)
    here.stderr.write(`${options.name}: waiting for messages from ${PEERS[options.as]} on standard input. ${READ}\n`);
  try {
    await replay(recording, openPeer(agent, options, here), options);
    return EXIT.ok;
  } catch (error) {
    fail(error);
    if (isAlone && !here.stdin.readableDidRead)
      here.stderr.write(`${options.name}: standard input was empty. ${READ}\n`);
    return ProtocolError.is(error) ? EXIT.invalid : exitCodeOf({ error, refused: false });
  }
}

async function readRecording(file: string, name: string): Promise<Recording> {
  const bytes = await readFile(file);
  refuseBytes(bytes, file, name, 'recording');
  return parseRecording(bytes.toString('utf8'));
}

function openPeer(
  agent: readonly string[],
  { variables }: ReplayOptions,
  here: Pick<RunProcess, 'stdin' | 'stdout' | 'stderr' | 'env'>,
): Transport {
  const [command, ...args] = agent;
  if (command === undefined) return createStdioTransport({ input: here.stdin, output: here.stdout });
  // The agent starts with the environment that it had during the recording.
  const env = inheritEnvironment({ ...variables?.(agent), ...LAUNCH.env }, here.env);
  return spawnAgent({ command, args, env, onStderr: (text) => here.stderr.write(text) });
}
