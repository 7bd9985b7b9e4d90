import { readFile } from 'node:fs/promises';
import { ProtocolError } from '@proto/core';
import type { Transport } from '@proto/core/transport';
import { type MatchMode, parseRecording, replay, type Side } from '@proto/recording';
import { createStdioTransport, inheritEnvironment, spawnAgent } from '@proto/transport-stdio';
import { ownVariables } from '../own-variables.ts';
import { LAUNCH } from '@proto/terminal';
import { EXIT, exitCodeOf } from '@proto/terminal/process';

/** The flags of `sjp replay`. */
export interface ReplayFlags {
  readonly as: Side;
  readonly speed: number;
  readonly match: MatchMode;
}

/** `sjp replay`: plays one side of a recording to the program at stdin and stdout, or to an agent. Gives the exit code. */
export async function replayFile(file: string, agent: readonly string[], flags: ReplayFlags): Promise<number> {
  const fail = (error: unknown) => void process.stderr.write(`sjp replay: ${(error as Error).message}\n`);
  const recording = await readFile(file, 'utf8').then(parseRecording).catch(fail);
  if (recording === undefined) return EXIT.usage;
  try {
    await replay(recording, peer(agent), flags);
    return EXIT.ok;
  } catch (error) {
    fail(error);
    return ProtocolError.is(error) ? EXIT.invalid : exitCodeOf({ error, refused: false });
  }
}

function peer([command, ...args]: readonly string[]): Transport {
  if (command === undefined) return createStdioTransport();
  // As it was started when it was recorded.
  const env = inheritEnvironment({ ...ownVariables([command, ...args], process.env), ...LAUNCH.env });
  return spawnAgent({ command, args, env, onStderr: (text) => process.stderr.write(text) });
}
