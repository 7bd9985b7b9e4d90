import { recordingText } from '@proto/recording/diff';
import { diffTexts, type DiffFilesOptions } from '../files/diff-files.ts';
import { EXIT } from '../process/exit-code.ts';
import type { RunProcess } from '../run/run-plan.ts';
import { plain } from '../view/terminal-text.ts';
import { type CassetteOptions, joinHost, orExplain, startAgent } from './cassette-agent.ts';
import { openTape, playTape } from './play-tape.ts';

/** How a cassette is played, and how the differences are written. */
export interface PlayOptions extends CassetteOptions, Omit<DiffFilesOptions, 'name'> {
  /** The numbers of the frames of permission requests that are denied, whatever answer was recorded. Default: none. */
  readonly deny?: readonly number[];
  /** The numbers of the frames of permission requests that are allowed, whatever answer was recorded. Default: none. */
  readonly allow?: readonly number[];
}

const MAX_SHOWN = 5;

/**
 * Plays the host and the Messages API of a cassette to an agent, and writes the differences from the recorded session. Fulfils with the exit code,
 * which is 6 if there are differences.
 */
export function playSession(
  file: string,
  agent: readonly string[],
  options: PlayOptions,
  here: RunProcess,
): Promise<number> {
  return orExplain(options, here, async () => {
    const { name, deny = [], allow = [] } = options;
    const answers = new Map([
      ...deny.map((frame) => [frame, 'deny'] as const),
      ...allow.map((frame) => [frame, 'allow'] as const),
    ]);
    const { play, signalCode } = await playTape(await openTape(file, name), agent, options, here, answers);
    const { problems, expected, found } = play;
    // After a problem, nearly every frame differs, so only some of the differences are shown.
    const shown = { ...options, ...(problems.length > 0 && { maxShown: MAX_SHOWN }) };
    const isEqual = await diffTexts(recordingText(expected), recordingText(found), shown, here);
    if (signalCode !== undefined) return signalCode;
    for (const problem of problems) here.stderr.write(`${name}: ${plain(problem)}\n`);
    return isEqual && problems.length === 0 ? EXIT.ok : EXIT.invalid;
  });
}

/**
 * Connects the host at stdin and stdout with an agent whose Messages API is a cassette. Fulfils with the exit code: 6 if the cassette lacks a
 * response that the agent has requested, otherwise the agent's exit code.
 */
export function playToHost(
  file: string,
  agent: readonly string[],
  options: CassetteOptions,
  here: RunProcess,
): Promise<number> {
  return orExplain(options, here, async () => {
    await using player = await openTape(file, options.name);
    const child = await startAgent(agent, player.env, options, here);
    const code = await joinHost(child, child, here);
    for (const { number, message } of player.misses) {
      here.stderr.write(`${options.name}: request ${number}: ${plain(message)}\n`);
    }
    return player.misses.length > 0 ? EXIT.invalid : code;
  });
}
