import { readFile, readlink, realpath } from 'node:fs/promises';
import { getSystemErrorMap } from 'node:util';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type PermissionRules, parsePermissionRules } from './permission-rules.ts';
import { PermissionRulesError } from './rule.ts';

/**
 * Reads rules from a file once. Later changes to the file have no effect on the rules.
 *
 * @throws {PermissionRulesError} if the file cannot be read or contains an invalid rule.
 */
export async function readPermissionRules(file: string): Promise<PermissionRules> {
  try {
    return parsePermissionRules(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new PermissionRulesError(reasonOf(file, cause as NodeJS.ErrnoException), { cause, file });
  }
}

function reasonOf(file: string, { errno, message }: NodeJS.ErrnoException): string {
  const [, words] = (errno !== undefined && getSystemErrorMap().get(errno)) || [];
  return words === undefined ? `${file}: ${message}` : `cannot read ${file}: ${words}`;
}

/**
 * Follows all links in a path like the operating system: `..` after a link is the folder above the link's target. If the file does not exist, the
 * links of its nearest existing folder are followed. A link may be changed before the file is used, which only the agent itself can prevent.
 *
 * @throws the file system's Error if a folder cannot be read or if links form a cycle.
 */
export async function followLinks(path: string): Promise<string> {
  const whole = isAbsolute(path) ? path : resolve(path);
  try {
    return await realpath(whole);
  } catch (error) {
    const parent = dirname(whole);
    if (!isMissing(error) || parent === whole) throw error;
    // A link to a missing file: writing to the link creates the file.
    const target = await readlink(whole).catch(() => undefined);
    const folder = await followLinks(parent);
    return target === undefined ? join(folder, basename(whole)) : followLinks(resolve(folder, target));
  }
}

/**
 * Returns the path of a file without links, for programs that use only the files of one folder. A relative path is in the folder. The file may be
 * missing.
 *
 * @throws Error if the file is outside of the folder, also if a link in the folder leads to it.
 */
export async function resolveInside(folder: string, path: string): Promise<string> {
  const place = await followLinks(resolve(folder, path));
  const below = relative(await followLinks(folder), place);
  if (below.split(sep)[0] === '..' || isAbsolute(below))
    throw new Error(`The file ${path} is outside of the folder ${folder}.`);
  return place;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
