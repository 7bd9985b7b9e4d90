// A drive or a share of Windows, where a backslash separates folders. Elsewhere a backslash is part of a name.
const WINDOWS = /^(?:[A-Za-z]:[\\/]|\\\\)/;

/**
 * Returns the whole path of a file, without `.`, `..` and empty parts. With a working folder of Windows, `C:\Users` becomes `/c/Users`, which is
 * also how patterns name drives.
 */
export function absolutePath(path: string, cwd: string): string {
  const isWindows = WINDOWS.test(cwd);
  const given = slashed(path, isWindows);
  const whole = given.startsWith('/') ? given : `${slashed(cwd, isWindows)}/${given}`;
  const parts: string[] = [];
  for (const part of whole.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Returns the path from a folder to a file in it; empty for the folder itself, undefined for a path outside. Both are whole paths. */
export function pathWithin(path: string, folder: string): string | undefined {
  if (path === folder) return '';
  const start = folder === '/' ? folder : `${folder}/`;
  return path.startsWith(start) ? path.slice(start.length) : undefined;
}

/** A pattern of paths in two parts: the folder in which it begins, and the pattern within that folder. */
export interface AnchoredPattern {
  readonly folder: string;
  readonly rest: string;
}

/**
 * Splits a pattern: `//` begins at the root of the file system, `~/` at the home folder, and any other pattern in the working folder. Undefined
 * for `~/` without a home folder.
 */
export function anchorPattern(pattern: string, cwd: string, home: string | undefined): AnchoredPattern | undefined {
  const isWindows = WINDOWS.test(cwd);
  const isDrive = isWindows && /^[A-Za-z]:/.test(pattern);
  const given = `${isDrive ? '/' : ''}${slashed(pattern === '~' ? '~/' : pattern, isWindows)}`;
  // All folders before the first wildcard.
  const fixed = /^[^*?]*\//.exec(given)?.[0] ?? '';
  const rest = given.slice(fixed.length).replace(/\/(?:\.?\/)+/g, '/');
  if (fixed.startsWith('//')) return { folder: absolutePath(fixed.slice(1), cwd), rest };
  if (!fixed.startsWith('~/')) return { folder: absolutePath(`./${fixed}`, cwd), rest };
  if (home === undefined) return undefined;
  return { folder: absolutePath(`./${fixed.slice(2)}`, absolutePath(home, cwd)), rest };
}

function slashed(path: string, isWindows: boolean): string {
  if (!isWindows) return path;
  return path
    .replaceAll('\\', '/')
    .replace(/^\/\/\?\//, '')
    .replace(/^([A-Za-z]):/, (_, drive: string) => `/${drive.toLowerCase()}`);
}

/** Folds a text as file systems do that ignore upper and lower case. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
