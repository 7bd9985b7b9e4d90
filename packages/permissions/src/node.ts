import { readFile, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { type PermissionRules, parsePermissionRules } from './permission-rules.ts';
import { PermissionRulesError } from './rule.ts';

/**
 * Reads the rules of a file, once: what is checked is what decides, also when the file changes later.
 *
 * @throws {PermissionRulesError} where the file cannot be read, and where anything in it is not understood.
 */
export async function readPermissionRules(file: string): Promise<PermissionRules> {
  try {
    return parsePermissionRules(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new PermissionRulesError(`${file}: ${(cause as Error).message}`, { cause, file });
  }
}

/**
 * Where a path leads when all links in it are followed, as the system does: `..` behind a link is the folder above its target. The file
 * need not exist yet: then its nearest folder that does counts. Between this answer and the use of a file a link may change; only the
 * agent itself can prevent this.
 *
 * @throws the error of the file system for a folder that may not be looked into, and for links in a circle.
 */
export async function followLinks(path: string): Promise<string> {
  const whole = isAbsolute(path) ? path : resolve(path);
  try {
    return await realpath(whole);
  } catch (error) {
    const parent = dirname(whole);
    if (!isMissing(error) || parent === whole) throw error;
    // A link to a file that is not there: who writes to the link makes that file.
    const target = await readlink(whole).catch(() => undefined);
    const folder = await followLinks(parent);
    return target === undefined ? join(folder, basename(whole)) : followLinks(resolve(folder, target));
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
