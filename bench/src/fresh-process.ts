import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The path of the script that runs a case by its name. */
export const CASE_SCRIPT: string = fileURLToPath(new URL('run-case.mjs', import.meta.url));

/** Runs a case in a new process, so that earlier work does not affect the measurement. Returns the printed result. */
export function inFreshProcess<Result>(
  name: string,
  args: readonly unknown[] = [],
  flags: readonly string[] = [],
  program: string = process.execPath,
): Result {
  const output = execFileSync(program, [...flags, CASE_SCRIPT, name, ...args.map(String)], {
    encoding: 'utf8',
  });
  return JSON.parse(output) as Result;
}
