/** Whether a path is one of these directories, or in one of them. All are absolute paths with links followed. */
export function isInside(path: string, directories: readonly string[]): boolean {
  return directories.some((directory) => {
    const folder = slashed(directory).replace(/\/+$/, '');
    return slashed(path) === folder || slashed(path).startsWith(`${folder}/`);
  });
}

export function directoryOf(path: string): string {
  return slashed(path).replace(/\/[^/]*$/, '') || '/';
}

/** Returns the path with `/`, which Windows accepts too. */
function slashed(path: string): string {
  return /^[A-Za-z]:\\/.test(path) ? path.replaceAll('\\', '/') : path;
}
