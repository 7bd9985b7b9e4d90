import { posix, win32 } from 'node:path';
import { AgentNotFoundError } from './agent-errors.ts';
import { type Variables, variableOf } from './child-environment.ts';
import type { System } from './system.ts';
import { shimTarget, windowsNames } from './windows-shim.ts';

/** What to start: a file, and the arguments that come before those of the caller. */
export interface Executable {
  readonly file: string;
  readonly args: readonly string[];
}

/** Where installers put agents that is often not on the PATH of a desktop program, below the home folder. */
const HOME_FOLDERS = ['.local/bin', '.npm-global/bin', '.bun/bin', '.yarn/bin', 'node_modules/.bin'];
const ROOT_FOLDERS = ['/usr/local/bin', '/opt/homebrew/bin'];
const INSTALL: Readonly<Record<string, string>> = {
  claude: '@anthropic-ai/claude-code',
  'sjp-agent': '@proto/cli',
};

/** What else is known of a command. */
export interface FindOptions {
  /** The folder that the program is to work in. Default: that of this process. */
  readonly cwd?: string | undefined;
  /** How to install it. */
  readonly installHint?: string | undefined;
}

/**
 * The executable that a command means, without a shell: a path (anything with a separator, or a `.js`, `.mjs` or `.cjs` file), or a
 * name that is looked up on the PATH of the child and then where installers put agents. Throws `AgentNotFoundError`.
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
    if (system.isFile(path)) refused ??= path;
  }
  const isName = command !== '' && !isPath(command, system);
  const where = isName ? ' on PATH, nor where installers put agents' : '';
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
 * What to say of a program that a project has brought along. It is shown and never run: the folder belongs to whoever wrote the project that
 * is worked on.
 */
function hintOfProject(command: string, cwd: string, system: System): string | undefined {
  const { dirname, join, resolve } = system.platform === 'win32' ? win32 : posix;
  for (let folder = resolve(cwd), last = ''; folder !== last; last = folder, folder = dirname(folder)) {
    const path = join(folder, 'node_modules', '.bin', command);
    if (!system.isFile(path)) continue;
    return `${path} is there, but no program of a project is run because of its name: give that path, or write "npx ${command}".`;
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
  // A folder that is empty or relative would be the working directory, or below it: of whoever wrote the project that is worked on. The
  // home folder is empty where the variable that names it is.
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
  if (!isName && path !== undefined) return path === command ? 'There is no such file.' : `There is no ${path}.`;
  const name = INSTALL[command];
  if (name !== undefined) return `Install it with "npm install -g ${name}", or give its path.`;
  return 'Install it, add its folder to PATH, or give its path.';
}

function whyRefused(path: string, { platform }: System): string {
  if (platform === 'win32') return `${path} would need a shell: give the path of the program that it starts.`;
  return `${path} may not be executed: give it the permission, or give another path.`;
}
