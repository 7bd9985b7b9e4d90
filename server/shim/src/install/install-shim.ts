import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { posix, win32 } from 'node:path';

/** The flags of `sjp shim install`. */
export interface InstallOptions {
  /** The folder in which the executable is created. Default `.local/bin` in the home folder. */
  readonly dir?: string;
  /** Whether to replace a file that this command did not write. */
  readonly force?: boolean;
  /** The address of the agent, used if the shim is started without `SJP_SHIM_URL`. */
  readonly url?: string;
  /** The file with the token, used if the shim is started without `SJP_SHIM_TOKEN_FILE`. */
  readonly tokenFile?: string;
}

/** The machine on which a shim is installed. */
export interface InstallPlace {
  /** The operating system: `win32` gets a `.cmd` file, every other system gets a shell script. */
  readonly platform: NodeJS.Platform;
  /** The environment variables. Only `PATH` is read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The home folder of the user. */
  readonly home: string;
  /** The working folder, against which relative paths are resolved. */
  readonly cwd: string;
  /** The Node executable. */
  readonly node: string;
  /** The built file of `sjp-shim`. */
  readonly shim: string;
  /** Writes a report for the user, for example to stdout. */
  write(text: string): void;
}

/** Thrown if a shim cannot be installed or removed. The message explains what to do. */
export class InstallError extends Error {
  /** The name of this class, for logs. */
  override readonly name = 'InstallError';
}

const MARK = 'written by "sjp shim install"';

/** What an installation will write, and what it will report to the user. */
export interface InstallPlan {
  /** The folder of the executable, as an absolute path. */
  readonly dir: string;
  /** The executable, as an absolute path. */
  readonly file: string;
  /** The text of the executable. */
  readonly script: string;
  /** What the user should know: where the agent is, and whether a shell finds the executable. Each item has one or more sentences. */
  readonly notes: readonly string[];
}

/**
 * Plans the executable that starts the shim. Changes nothing.
 * @throws {InstallError} if the name cannot be the name of a program.
 */
export function planInstall(name: string, options: InstallOptions, place: InstallPlace): InstallPlan {
  const { dir, file } = fileOf(name, options, place);
  const script = isWindows(place) ? cmdScript(options, place) : shellScript(name, options, place);
  const address = options.url
    ? `The agent is at ${options.url}, unless SJP_SHIM_URL is set to another address.`
    : 'Set SJP_SHIM_URL to the address of the agent in the environment of the program.';
  const unproven = isWindows(place) ? ['This has not been tested on Windows.'] : [];
  return { dir, file, script, notes: [address, ...aboutPath(name, dir, file, place), ...unproven] };
}

/**
 * Writes an executable that starts the shim, and reports where it is and whether a shell finds it.
 * @throws {InstallError} if the file exists and is not a shim, or cannot be written.
 */
export function installShim(name: string, options: InstallOptions, place: InstallPlace): void {
  const { dir, file, script, notes } = planInstall(name, options, place);
  const present = readOwn(file);
  if (present === 'foreign' && options.force !== true)
    throw new InstallError(
      `${file} exists and is not a shim. Choose another name or --dir, or replace the file with --force`,
    );
  // The file is replaced as a whole, and if it is a link, only the link is replaced and not its target.
  const unfinished = `${file}.${process.pid}`;
  try {
    mkdirSync(dir, { recursive: true });
    writeFileSync(unfinished, script, { mode: 0o755 });
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw new InstallError(`${file} cannot be written: ${(error as Error).message}`);
  }
  place.write(`${present === undefined ? 'installed' : 'replaced'} ${file}\n${notes.join('\n')}\n`);
}

/**
 * Removes an executable that `installShim` wrote.
 * @throws {InstallError} if the file does not exist, or is not a shim that this command wrote.
 */
export function uninstallShim(name: string, options: Pick<InstallOptions, 'dir'>, place: InstallPlace): void {
  const { file } = fileOf(name, options, place);
  const present = readOwn(file);
  if (present === undefined)
    throw new InstallError(`${file} does not exist. If the shim is in another folder, name that folder with --dir`);
  if (present === 'foreign') throw new InstallError(`${file} is not a shim and was not removed`);
  rmSync(file);
  place.write(`removed ${file}\n`);
}

function isWindows({ platform }: InstallPlace): boolean {
  return platform === 'win32';
}

function fileOf(name: string, { dir }: Pick<InstallOptions, 'dir'>, place: InstallPlace) {
  if (!/^[A-Za-z0-9][\w.-]*$/.test(name))
    throw new InstallError(`"${name}" is not a valid name for a program: use letters, digits, "-" and "_"`);
  const path = isWindows(place) ? win32 : posix;
  const folder = dir === undefined ? path.join(place.home, '.local', 'bin') : path.resolve(place.cwd, dir);
  return { dir: folder, file: path.join(folder, isWindows(place) ? `${name}.cmd` : name) };
}

/** Whether a file is a shim that this command wrote. Undefined if the file does not exist. */
function readOwn(file: string): 'own' | 'foreign' | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  // A link points to a file that another program installed.
  return found.isFile() && readFileSync(file, 'utf8').includes(MARK) ? 'own' : 'foreign';
}

function shellScript(name: string, { url, tokenFile }: InstallOptions, { node, shim, cwd }: InstallPlace): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const preset = (variable: string, value: string | undefined) =>
    value ? `[ -n "$${variable}" ] || export ${variable}=${quoted(value)}\n` : '';
  return `#!/bin/sh
# A stand-in for an agent that runs elsewhere, ${MARK}. Remove it with: sjp shim uninstall ${name}
${preset('SJP_SHIM_URL', url)}${preset('SJP_SHIM_TOKEN_FILE', tokenFile && posix.resolve(cwd, tokenFile))}exec ${quoted(node)} ${quoted(shim)} "$@"
`;
}

function cmdScript({ url, tokenFile }: InstallOptions, { node, shim, cwd }: InstallPlace): string {
  const plain = (text: string) => text.replaceAll('%', '%%');
  const preset = (variable: string, value: string | undefined) =>
    value ? `if not defined ${variable} set "${variable}=${plain(value)}"\r\n` : '';
  return `@echo off\r
rem A stand-in for an agent that runs elsewhere, ${MARK}\r
${preset('SJP_SHIM_URL', url)}${preset('SJP_SHIM_TOKEN_FILE', tokenFile && win32.resolve(cwd, tokenFile))}"${plain(node)}" "${plain(shim)}" %*\r
`;
}

function aboutPath(name: string, dir: string, file: string, place: InstallPlace): readonly string[] {
  const path = isWindows(place) ? win32 : posix;
  const folders = (place.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const at = folders.findIndex((folder) => path.resolve(place.cwd, folder) === dir);
  if (at === -1) {
    const how = isWindows(place)
      ? `add ${dir} to Path in the system settings`
      : `export PATH="${dir}:$PATH" in the file that your shell reads`;
    return [`${dir} is not on the PATH. To start ${name} by its name: ${how}. A program can start it as ${file}.`];
  }
  const first = folders
    .slice(0, at)
    .find((folder) => lstatSync(path.join(folder, path.basename(file)), { throwIfNoEntry: false }));
  if (first === undefined) return [];
  return [
    `${path.join(first, path.basename(file))} is found before it. Put ${dir} first on the PATH, or start ${file}.`,
  ];
}
