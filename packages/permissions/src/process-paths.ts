/**
 * Whether a path contains a link that differs for each process, such as `/proc/self/cwd` or `/dev/fd`. Only the process that uses such a path can
 * determine which file it means.
 */
export function isProcessPath(path: string): boolean {
  return /^\/(?:proc\/(?:self|thread-self|\d+)|dev\/(?:fd|stdin|stdout|stderr))(?:\/|$)/.test(path);
}

/** The target of a path that contains process links. */
export interface ProcessTarget {
  /** The first part of the path that is a process link. */
  readonly link: string;
  /** The target, assuming that the process works in `cwd` and has the usual root. Undefined for any other link. */
  readonly target: string | undefined;
}

/** Follows the links before `..` is resolved. Returns `undefined` for a path without a process link. */
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

/** Operating systems do not accept longer paths. */
const MAX_PARTS = 2048;
