import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** The whole path of a file that need not exist yet, with the links on the way followed: where it really is. */
export async function realPathOf(path: string, cwd: string): Promise<string> {
  const whole = resolve(cwd, path);
  try {
    return await realpath(whole);
  } catch (error) {
    const parent = dirname(whole);
    if (!isMissing(error) || parent === whole) throw error;
    return join(await realPathOf(parent, cwd), basename(whole));
  }
}

/** Whether a file is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
