/** Whether a path is one of these directories, or in one. Both are whole paths, links followed. */
export function isInside(path: string, directories: readonly string[]): boolean {
  return directories.some((directory) => {
    const folder = slashed(directory).replace(/\/+$/, '');
    return slashed(path) === folder || slashed(path).startsWith(`${folder}/`);
  });
}

/** The directory a path is in. */
export function directoryOf(path: string): string {
  return slashed(path).replace(/\/[^/]*$/, '') || '/';
}

/** Windows has its own separator, and takes this one. */
function slashed(path: string): string {
  return /^[A-Za-z]:\\/.test(path) ? path.replaceAll('\\', '/') : path;
}
