/** Whether a path is one of these directories, or inside one of them. The path and the directories must be absolute, with symbolic links resolved. */
export function isInside(path: string, directories: readonly string[]): boolean {
  return directories.some((directory) => {
    const folder = slashed(directory).replace(/\/+$/, '');
    return slashed(path) === folder || slashed(path).startsWith(`${folder}/`);
  });
}

export function directoryOf(path: string): string {
  return slashed(path).replace(/\/[^/]*$/, '') || '/';
}

/** Returns the path with `/` as the separator, which Windows accepts too. */
function slashed(path: string): string {
  return /^[A-Za-z]:\\/.test(path) ? path.replaceAll('\\', '/') : path;
}
