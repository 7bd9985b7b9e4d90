import { posix } from 'node:path';
import { type Variables, variableOf } from './child-environment.ts';
import type { System } from './system.ts';

/** How much of a file is read to find its `#!` line, in bytes. No system starts a script with a longer first line. */
const MAX_HEAD_BYTES = 512;

const REASONS: Readonly<Record<string, string>> = {
  EACCES:
    'the system does not allow it to run: check the permissions of the file, of its folders, and of its working directory',
  E2BIG: 'its arguments and environment variables are too long',
};

/** For a script, the text names the interpreter that is missing or may not be executed, because the system reports only that a file is missing. */
export function whyNotStarted(code: unknown, file: string, system: System): string {
  const reason = code === 'ENOENT' ? NO_LOADER : REASONS[String(code)];
  const about = interpreterProblem(file, system) ?? reason;
  return `cannot be started (${String(code)})${about === undefined ? '' : `: ${about} (${file})`}`;
}

const CARRIAGE_RETURN = 'its first line ends in a carriage return: save the script with LF line endings';
const NO_LOADER = 'the program that loads it is missing: it was probably built for another system';

/**
 * For a script that exited with code 127, returns a text about the interpreter that `#!/usr/bin/env NAME` did not find. Returns `undefined` if the
 * interpreter exists, and for any other file.
 */
export function missingInterpreter(file: string, env: Variables, system: System): string | undefined {
  const [path = '', ...args] = interpreterWords(file, system);
  const name = args.find((arg) => !/^-|=/.test(arg));
  if (posix.basename(path) !== 'env' || name === undefined) return undefined;
  const folders = name.includes('/') ? [''] : (variableOf(env, 'PATH', system.platform) ?? '').split(':');
  if (folders.some((folder) => system.isExecutable(folder === '' ? name : posix.join(folder, name)))) return undefined;
  if (name.endsWith('\r')) return CARRIAGE_RETURN;
  return `its interpreter ${name} is not on PATH: install it, or correct the first line of the script`;
}

function interpreterProblem(file: string, system: System): string | undefined {
  const [interpreter] = interpreterWords(file, system);
  if (interpreter === undefined) return undefined;
  if (interpreter.endsWith('\r')) return CARRIAGE_RETURN;
  if (!system.isFile(interpreter)) {
    const what = system.isFolder(interpreter) ? 'is a folder' : 'does not exist';
    return `its interpreter ${interpreter} ${what}: install it, or correct the first line of the script`;
  }
  return system.isExecutable(interpreter) ? undefined : `its interpreter ${interpreter} is not executable`;
}

function interpreterWords(file: string, system: System): readonly string[] {
  try {
    const [, line] = /^#![ \t]*([^\n]+)/.exec(system.readText(file, MAX_HEAD_BYTES)) ?? [];
    return line === undefined ? [] : line.split(/[ \t]+/);
  } catch {
    // A program may be executable but not readable.
    return [];
  }
}
