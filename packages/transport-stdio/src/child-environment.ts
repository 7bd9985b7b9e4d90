import type { System } from './system.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** The standard program folders of a POSIX system, used if `PATH` contains no folders. */
const STANDARD_PATH = '/usr/bin:/bin';

/** On Windows, the case of names is ignored. `process.env` also ignores the case on Windows, but a copy of `process.env` does not. */
export function variableOf(env: Variables, name: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32' || env[name] !== undefined) return env[name];
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

/** On Windows a name in `set` replaces every spelling of the name. */
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
 * Removes empty elements from `PATH`. On POSIX an empty element, or an empty `PATH`, means the working directory, so `#!/usr/bin/env node` would run
 * a file named `node` from the project that the agent works on.
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
