/**
 * Whether a path leads through links that each process has for itself, such as `/proc/self/cwd` and `/dev/fd`. Only the process that uses such a
 * path knows the file.
 */
export function isProcessPath(path: string): boolean {
  return /^\/(?:proc\/(?:self|thread-self|\d+)|dev\/(?:fd|stdin|stdout|stderr))(?:\/|$)/.test(path);
}

/** Where a path through links of a process leads. */
export interface ProcessTarget {
  /** The first part of the path that is such a link. */
  readonly link: string;
  /** The target, if the process works in `cwd` and has the usual root; undefined for other links. */
  readonly target: string | undefined;
}

/** Follows the links of a process in a whole path, before its `..` are resolved. Undefined for a path without such a link. */
export function processTargetOf(path: string, cwd: string): ProcessTarget | undefined {
  let parts: string[] = [];
  let link: string | undefined;
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
    const here = `/${parts.join('/')}`;
    const kind = /^\/proc\/(?:self|thread-self|\d+)(?:\/task\/\d+)?\/(\w+)$/.exec(here)?.[1];
    if (kind === 'cwd' || kind === 'root') {
      link ??= here;
      parts = kind === 'cwd' ? cwd.split('/').filter((each) => each !== '') : [];
    } else if (kind !== undefined || isProcessPath(here)) {
      if (kind !== undefined && part !== '..') link ??= here;
    }
    if (parts.length > MAX_PARTS) return { link: link ?? here, target: undefined };
  }
  return link === undefined ? undefined : { link, target: `/${parts.join('/')}` };
}

/** A path with more folders than this is longer than systems take. */
const MAX_PARTS = 2048;
