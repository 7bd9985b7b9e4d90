import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Gives the variables of `sjp` itself that a program inherits: `SJP_HOME`, the state folder, where the command line names `sjp-agent`, which keeps its
 * sessions in that folder. Any other program inherits none of them.
 */
export function ownVariables(
  commandLine: readonly string[],
  { SJP_HOME }: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return SJP_HOME !== undefined && commandLine.some(isOwnAgent) ? { SJP_HOME } : {};
}

/** Whether a word is `sjp-agent`: by its name, or by the file that is installed beside this program. */
function isOwnAgent(word: string): boolean {
  if (/^sjp-agent(?:\.(?:cmd|exe))?$/.test(basename(word))) return true;
  if (basename(word) !== 'agent.js') return false;
  try {
    return realpathSync(word) === join(dirname(realpathSync(process.argv[1] ?? '')), 'agent.js');
  } catch {
    return false;
  }
}
