import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Returns the variables of `sjp` that a program inherits. `sjp-agent` inherits `SJP_HOME` (the state folder, which contains the sessions) and
 * `SJP_SESSION_LAYOUT` (which can select another folder for sessions). Any other program inherits neither.
 */
export function ownVariables(
  commandLine: readonly string[],
  { SJP_HOME, SJP_SESSION_LAYOUT }: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  if (!commandLine.some(isOwnAgent)) return {};
  return {
    ...(SJP_HOME !== undefined && { SJP_HOME }),
    ...(SJP_SESSION_LAYOUT !== undefined && { SJP_SESSION_LAYOUT }),
  };
}

function isOwnAgent(word: string): boolean {
  if (/^sjp-agent(?:\.(?:cmd|exe))?$/.test(basename(word))) return true;
  if (basename(word) !== 'agent.js') return false;
  try {
    return realpathSync(word) === join(dirname(realpathSync(process.argv[1] ?? '')), 'agent.js');
  } catch {
    return false;
  }
}
