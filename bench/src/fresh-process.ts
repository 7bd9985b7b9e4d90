import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The script that runs a case by its name. */
export const CASE_SCRIPT: string = fileURLToPath(new URL('run-case.mjs', import.meta.url));

/** Runs a case in a process of its own, so that nothing before it is part of what it measures; gives what it printed. */
export function inFreshProcess<Result>(
  name: string,
  args: readonly unknown[] = [],
  flags: readonly string[] = [],
): Result {
  const output = execFileSync(process.execPath, [...flags, CASE_SCRIPT, name, ...args.map(String)], {
    encoding: 'utf8',
  });
  return JSON.parse(output) as Result;
}
