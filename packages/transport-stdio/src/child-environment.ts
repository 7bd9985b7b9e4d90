import type { System } from './system.ts';

/** An environment, as `process.env` and `env` of `spawnAgent` have it. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** What `PATH` is for programs that find no folder in it: the folders that POSIX systems have their own programs in. */
const STANDARD_PATH = '/usr/bin:/bin';

/** The value of a variable. Windows ignores the case of a name, but a copy of its environment does not. */
export function variableOf(env: Variables, name: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32' || env[name] !== undefined) return env[name];
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

/** An environment of these variables, and of those that are set. Where the case of names means nothing, a name that is set replaces every spelling of it. */
export function withVariables(
  variables: readonly (readonly [name: string, value: string | undefined])[],
  set: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
): Record<string, string | undefined> {
  const isSet = new Set(Object.keys(set).map((name) => name.toUpperCase()));
  const others = platform === 'win32' ? variables.filter(([name]) => !isSet.has(name.toUpperCase())) : variables;
  return { ...Object.fromEntries(others), ...set };
}

/**
 * The environment that a child is started with: the given one, without the empty elements of `PATH`. POSIX takes an empty element, and an
 * empty `PATH` as a whole, for the working directory, so that `#!/usr/bin/env node` would run a file named `node` of the project worked on.
 */
export function childEnvironment(
  env: Variables,
  { platform }: Pick<System, 'platform'>,
): Record<string, string | undefined> {
  const windows = platform === 'win32';
  const entries = Object.entries(env).map(([name, value]): [string, string | undefined] => {
    const isPath = (windows ? name.toUpperCase() : name) === 'PATH';
    return [name, isPath && value !== undefined ? withoutEmptyElements(value, windows) : value];
  });
  return Object.fromEntries(entries);
}

function withoutEmptyElements(path: string, windows: boolean): string {
  const delimiter = windows ? ';' : ':';
  const elements = path.split(delimiter).filter((element) => element !== '');
  return elements.length === 0 && !windows ? STANDARD_PATH : elements.join(delimiter);
}
