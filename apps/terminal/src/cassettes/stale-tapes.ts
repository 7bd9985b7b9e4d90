import { encodeLine } from '@proto/core/framing';
import { EXIT } from '../process/exit-code.ts';
import type { RunProcess } from '../run/run-plan.ts';
import { plain } from '../view/terminal-text.ts';
import { type CassetteOptions, orExplain } from './cassette-agent.ts';
import { openTape, playTape } from './play-tape.ts';

interface TapeReport {
  readonly type: 'cassette';
  readonly file: string;
  readonly stale: boolean;
  /** The versions of the agent; absent if the agent does not report a version. */
  readonly recordedWith?: string;
  readonly playedWith?: string;
  /** Why the agent does not match the tape. */
  readonly why: readonly string[];
}

/**
 * Plays cassettes one after the other, and reports the cassettes that no longer match the agent. Fulfils with the exit code, which is 6 if any
 * cassette does not match.
 */
export function findStaleCassettes(
  files: readonly string[],
  agent: readonly string[],
  options: CassetteOptions & { readonly json?: boolean },
  here: RunProcess,
): Promise<number> {
  return orExplain(options, here, async () => {
    const { name, json = false } = options;
    const { stdout } = here;
    let stale = 0;
    for (const file of files) {
      const { play, signalCode } = await playTape(await openTape(file, name), agent, options, here);
      if (signalCode !== undefined) return signalCode;
      const { problems, expected, found } = play;
      const [recordedWith, playedWith] = [versionIn(expected), versionIn(found)];
      const report: TapeReport = {
        type: 'cassette',
        file,
        stale: problems.length > 0,
        ...(recordedWith !== undefined && { recordedWith }),
        ...(playedWith !== undefined && { playedWith }),
        why: problems,
      };
      if (report.stale) stale++;
      stdout.write(json ? encodeLine(report) : textOf(report));
    }
    const total = files.length;
    stdout.write(json ? encodeLine({ type: 'result', stale, total }) : `${stale} of ${total} stale\n`);
    return stale > 0 ? EXIT.invalid : EXIT.ok;
  });
}

function textOf({ file, stale, recordedWith = 'no version', playedWith = 'no version', why }: TapeReport): string {
  const head = `${stale ? 'stale ' : 'ok    '} ${plain(file)}  recorded with ${plain(recordedWith)}, played with ${plain(playedWith)}\n`;
  return head + why.map((reason) => `        ${plain(reason)}\n`).join('');
}

function versionIn(recording: string): string | undefined {
  return /\\"claude_code_version\\":\\"([^"\\]+)\\"/.exec(recording)?.[1];
}
