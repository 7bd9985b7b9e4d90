import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stateDirectory } from '@proto/headless';

/** Where `sjp serve` keeps the token it made, and `sjp connect` looks for one. */
export function ownTokenFile(cwd: string, env: Readonly<Record<string, string | undefined>>): string {
  return join(stateDirectory(cwd, env), 'token');
}

/** The token in a file. Rejects where there is none; no error holds any of the file. */
export async function readToken(file: string): Promise<string> {
  const token = (await readFile(file, 'utf8')).trim();
  if (!/^\S{16,}$/.test(token)) throw new Error(`${file} holds no token: it is one word of at least 16 characters`);
  return token;
}

/** The same, and where there is no such file a new token is made and kept in it, for its owner alone. */
export async function keepToken(file: string): Promise<string> {
  try {
    return await readToken(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const token = randomBytes(32).toString('base64url');
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // Whole or not at all, and the first of several servers decides.
  const made = `${file}.${process.pid}`;
  // What stands there under that name is left by another process, or for this one.
  await rm(made, { force: true });
  await writeFile(made, `${token}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(made, file);
    return token;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return await readToken(file);
    throw error;
  } finally {
    await rm(made);
  }
}
