// A Windows drive or share, where a backslash separates folders. On other systems, a backslash is part of a name.
const WINDOWS = /^(?:[A-Za-z]:[\\/]|\\\\)/;

/**
 * Removes `.`, `..` and empty parts. If the working folder is a Windows path, `C:\Users` becomes `/c/Users`. Patterns name drives in the same way.
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

/** Returns an empty string for the folder itself, and `undefined` for a path outside the folder. Both arguments must be absolute paths. */
export function pathWithin(path: string, folder: string): string | undefined {
  if (path === folder) return '';
  const start = folder === '/' ? folder : `${folder}/`;
  return path.startsWith(start) ? path.slice(start.length) : undefined;
}

export interface AnchoredPattern {
  readonly folder: string;
  readonly rest: string;
}

/**
 * A pattern that begins with `//` is relative to the root of the file system, a pattern that begins with `~/` to the home folder, and any other
 * pattern to the working folder. Returns `undefined` for `~/` without a home folder.
 */
export function anchorPattern(pattern: string, cwd: string, home: string | undefined): AnchoredPattern | undefined {
  const isWindows = WINDOWS.test(cwd);
  const isDrive = isWindows && /^[A-Za-z]:/.test(pattern);
  const given = `${isDrive ? '/' : ''}${slashed(pattern === '~' ? '~/' : pattern, isWindows)}`;
  // The folders before the first wildcard.
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

/** Converts a string so that strings that differ only in case become equal, as in a case-insensitive file system. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
