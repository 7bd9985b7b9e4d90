import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { FakeChaos } from './chaos.ts';

/** What an installed fake plays, and how it is called. */
export interface InstallFakeOptions {
  /** The name of the executable. Default `claude`. */
  readonly name?: string;
  /** The kinds of chaos; `true` is every kind but `death`. Default: none. */
  readonly chaos?: boolean | readonly FakeChaos[];
  /** Decides what the chaos does, and when. Default 1. */
  readonly seed?: number;
  /** The command line that plays a fake agent; the script and the options are added. Default: this package. */
  readonly command?: readonly string[];
}

/** An executable that plays a fake agent, in a folder of its own. */
export interface InstalledFake {
  /** The executable: for an option such as `pathToClaudeCodeExecutable`. */
  readonly file: string;
  /** The folder with nothing but the executable. */
  readonly folder: string;
  /** A value for `PATH` under which the executable is found before all others. */
  readonly path: string;
  /** Removes the folder. */
  remove(): void;
}

const NAME = /^[A-Za-z0-9][\w.-]*$/;

/**
 * Writes an executable under the name of a real agent into a fresh folder. Each start of it plays the script of the file from its beginning. Remove it
 * after the test.
 *
 * @throws {TypeError} if the name is not one of a program.
 */
export function installFakeAgent(script: string, options: InstallFakeOptions = {}): InstalledFake {
  const { name = 'claude', chaos = false, seed = 1, command = ownCommand() } = options;
  if (!NAME.test(name)) throw new TypeError(`not a name for a program: ${name}`);
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
