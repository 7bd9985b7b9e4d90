import { isAbsolute } from 'node:path';
import { followLinks } from '@proto/permissions/node';

/** The whole path of a file that need not exist yet, with the links on the way followed: where it really is. */
export function realPathOf(path: string, cwd: string): Promise<string> {
  return followLinks(isAbsolute(path) ? path : `${cwd}/${path}`);
}

/** Whether a file is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
