import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { FakeChaos } from './chaos.ts';

/** Options for an installed fake: its name, its chaos and its command. */
export interface InstallFakeOptions {
  /** The name of the executable. Default `claude`. */
  readonly name?: string;
  /** The kinds of chaos. `true` means every kind except `death`. Default: none. */
  readonly chaos?: boolean | readonly FakeChaos[];
  /** The seed for the chaos: the same seed results in the same disturbances. Default 1. */
  readonly seed?: number;
  /** The command line that plays a fake agent. The script and the options are appended to it. Default: a program in this package. */
  readonly command?: readonly string[];
}

/** An executable that plays a fake agent, in a new folder. */
export interface InstalledFake {
  /** The path of the executable, for an option such as `pathToClaudeCodeExecutable`. */
  readonly file: string;
  /** The folder, which contains only the executable. */
  readonly folder: string;
  /** A value for `PATH` in which the executable's folder comes first. */
  readonly path: string;
  /** Removes the folder. */
  remove(): void;
}

const NAME = /^[A-Za-z0-9][\w.-]*$/;

/**
 * Creates an executable with the name of a real agent in a new folder. Each time it is started, the executable plays the script from the beginning. Call
 * `remove` after the test.
 *
 * @throws {TypeError} if the name is not a valid program name.
 */
export function installFakeAgent(script: string, options: InstallFakeOptions = {}): InstalledFake {
  const { name = 'claude', chaos = false, seed = 1, command = ownCommand() } = options;
  if (!NAME.test(name))
    throw new TypeError(`"${name}" is not a valid name for a program: use letters, digits, "-" and "_"`);
  const chaosFlags = chaos === false ? [] : [chaos === true ? '--chaos' : `--chaos=${chaos.join(',')}`];
  const line = [...command, resolve(script), '--seed', String(seed), ...chaosFlags, '--'];
  const folder = mkdtempSync(join(tmpdir(), 'fake-agent-'));
  const isWindows = process.platform === 'win32';
  const file = join(folder, isWindows ? `${name}.cmd` : name);
  writeFileSync(file, isWindows ? `@${line.map(quoteForCmd).join(' ')} %*\r\n` : shellScript(line));
  chmodSync(file, 0o755);
  return {
    file,
    folder,
    path: `${folder}${delimiter}${process.env['PATH'] ?? ''}`,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function ownCommand(): readonly string[] {
  return [process.execPath, fileURLToPath(new URL('fake-process.js', import.meta.url)), 'agent'];
}

function shellScript(line: readonly string[]): string {
  const words = line.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
  return `#!/bin/sh\n# A fake agent for a test.\nexec ${words.join(' ')} "$@"\n`;
}

function quoteForCmd(word: string): string {
  return `"${word.replaceAll('%', '%%')}"`;
}
