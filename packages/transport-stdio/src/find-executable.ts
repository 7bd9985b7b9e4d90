import { posix, win32 } from 'node:path';
import { AgentNotFoundError } from './agent-errors.ts';
import { type Variables, variableOf } from './child-environment.ts';
import type { System } from './system.ts';

/** `args` are placed before the caller's arguments. */
export interface Executable {
  readonly file: string;
  readonly args: readonly string[];
}

/** Installers put agents in these folders of the home folder. The PATH of a desktop program often lacks them. */
const HOME_FOLDERS = ['.local/bin', '.npm-global/bin', '.bun/bin', '.yarn/bin', 'node_modules/.bin'];
const ROOT_FOLDERS = ['/usr/local/bin', '/opt/homebrew/bin'];
const INSTALL: Readonly<Record<string, string>> = {
  claude: '@anthropic-ai/claude-code',
  'sjp-agent': '@proto/cli',
};

export interface FindOptions {
  /** The working directory of the program. Default: the working directory of this process. */
  readonly cwd?: string | undefined;
  /** How to install the program, for use in the error message. */
  readonly installHint?: string | undefined;
}

/**
 * Finds the executable of a command, without a shell. A command that contains a path separator, or ends with `.js`, `.mjs` or `.cjs`, is a path. Any
 * other command is a name, which is looked up on the child's PATH and then in the folders where installers put agents.
 * @throws {AgentNotFoundError} if the executable does not exist.
 */
export function findExecutable(
  command: string,
  env: Variables,
  system: System,
  { cwd = '.', installHint }: FindOptions = {},
): Executable {
  const searched = candidates(command, env, system);
  let refused: string | undefined;
  for (const path of searched) {
    const found = asExecutable(path, system);
    if (found !== undefined) return found;
    if (system.isFile(path) || (isPath(command, system) && system.isFolder(path))) refused ??= path;
  }
  const isName = command !== '' && !isPath(command, system);
  const where = isName ? ' on PATH or in the folders that installers use' : '';
  const hint =
    (refused !== undefined && whyRefused(refused, system)) ||
    (isName && hintOfProject(command, cwd, system)) ||
    (installHint ?? hintFor(command, searched, isName));
  throw new AgentNotFoundError(command, { searched, hint, where });
}

function isPath(command: string, { platform }: System): boolean {
  return (platform === 'win32' ? /[\\/:]/ : /\//).test(command) || isScript(command);
}

/**
 * The hint about a program with this name in a project's `node_modules/.bin`. The error mentions such a program, but its name alone does not start
 * it, because the author of the project has put it there and may not be trusted.
 */
function hintOfProject(command: string, cwd: string, system: System): string | undefined {
  const { dirname, join, resolve } = system.platform === 'win32' ? win32 : posix;
  for (let folder = resolve(cwd), last = ''; folder !== last; last = folder, folder = dirname(folder)) {
    const path = join(folder, 'node_modules', '.bin', command);
    if (!system.isFile(path)) continue;
    return `${path} exists, but programs in node_modules/.bin are not started by their name: give the path, or use npx: "npx ${command}" on a command line, stdio('npx', { args: ['${command}'] }) in a program.`;
  }
  return undefined;
}

function candidates(command: string, env: Variables, system: System): string[] {
  if (command === '') return [];
  const { platform } = system;
  const windows = platform === 'win32';
  const { delimiter, join, resolve } = windows ? win32 : posix;
  const names = windows ? windowsNames(command, variableOf(env, 'PATHEXT', platform)) : [command];
  if (isPath(command, system)) return names.map((name) => resolve(name));
  const path = variableOf(env, 'PATH', platform) ?? variableOf(system.env, 'PATH', platform) ?? '';
  const home = system.home();
  const folders = [
    ...path.split(delimiter),
    ...HOME_FOLDERS.map((folder) => join(home, folder)),
    join(home, `.${command}/local`),
    ...(windows ? [join(variableOf(env, 'APPDATA', platform) ?? home, 'npm')] : ROOT_FOLDERS),
  ];
  // An empty or relative folder would be the working directory or a folder in it, and the author of a project controls these. The home folder is
  // empty if its variable is empty.
  const isFixed = windows ? /^(?:[a-z]:[\\/]|[\\/]{2}[^\\/])/i : /^\//;
  return [...new Set(folders)]
    .filter((folder) => isFixed.test(folder))
    .flatMap((folder) => names.map((name) => join(folder, name)));
}

function asExecutable(path: string, system: System): Executable | undefined {
  if (isScript(path)) return system.isFile(path) ? { file: system.execPath, args: [path] } : undefined;
  if (!system.isExecutable(path)) return undefined;
  if (system.platform !== 'win32' || !/\.(?:cmd|bat)$/i.test(path)) return { file: path, args: [] };
  const target = shimTarget(path, system.readText(path));
  return target === undefined ? undefined : asExecutable(target, system);
}

function isScript(path: string): boolean {
  return /\.[cm]?js$/i.test(path);
}

function hintFor(command: string, [path]: readonly string[], isName: boolean): string {
  if (!isName && path !== undefined) return path === command ? 'The file does not exist.' : `${path} does not exist.`;
  const name = INSTALL[command];
  if (name !== undefined) return `Install it with "npm install -g ${name}", or give its path.`;
  return 'Install it, add its folder to PATH, or give its path.';
}

function whyRefused(path: string, system: System): string {
  const { platform } = system;
  if (system.isFolder(path)) return `${path} is a folder: give the path of a program.`;
  if (platform === 'win32') return `${path} needs a shell: give the path of the program that it starts.`;
  return `${path} is not executable: add the permission to execute it, or give another path.`;
}

// The last line of the `.cmd` files of npm, pnpm and yarn: … "%dp0%\node_modules\agent\cli.js" %*
const TARGET = /"%(?:~dp0|dp0%)\\?([^"%]+\.(?:[cm]?js|exe))"\s+%\*/i;

/**
 * The script or program that a package manager's `.cmd` file starts. Undefined for any other file. Running the `.cmd` file itself would require a
 * shell, which would interpret special characters in arguments (CVE-2024-27980).
 * @internal
 */
export function shimTarget(path: string, text: string): string | undefined {
  const target = TARGET.exec(text)?.[1];
  return target === undefined ? undefined : win32.join(win32.dirname(path), target);
}

/** The possible file names for a command, in the order in which they are tried: `.exe` first. */
function windowsNames(command: string, pathExtensions = '.COM;.EXE;.BAT;.CMD'): string[] {
  if (/\.(?:exe|com|bat|cmd|[cm]?js)$/i.test(command)) return [command];
  const known = pathExtensions
    .toLowerCase()
    .split(';')
    .filter((extension) => /^\.(?:exe|com|bat|cmd)$/.test(extension));
  return Array.from(new Set(['.exe', ...known]), (extension) => command + extension);
}
