import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stateDirectory } from '@proto/headless';
import { isLoopback } from '@proto/remote';

/** Gives the file in which `sjp serve` keeps the token that it has made, and `sjp connect` finds it. */
export function ownTokenFile(cwd: string, env: Readonly<Record<string, string | undefined>>): string {
  return join(stateDirectory(cwd, env), 'token');
}

/** Reads the token in a file. Rejects where the file holds no token. No error holds any part of the file. */
export async function readToken(file: string): Promise<string> {
  const token = (await readFile(file, 'utf8')).trim();
  if (!/^\S{16,}$/.test(token)) throw new Error(`${file} holds no token: it is one word of at least 16 characters`);
  return token;
}

/** Reads the token in a file. Where there is no such file it makes one with a new token, which its owner alone can read. */
export async function keepToken(file: string): Promise<string> {
  try {
    return await readToken(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const token = randomBytes(32).toString('base64url');
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // The file appears whole or not at all. When several servers start at once, the token of the first one counts.
  const made = `${file}.${process.pid}`;
  // A file of that name was left by a crashed process, or created by an attacker.
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

/** Where a client finds its token. */
export interface ClientTokenOptions {
  readonly tokenFile: string | undefined;
  /** The host that gets the token. The token of the server on this machine goes to no other host. */
  readonly hostname: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Finds the token of a client: in the given file, in `SJP_TOKEN`, or in the file of the server on this machine; undefined where there is none.
 * Rejects where the given file has no token.
 */
export async function clientToken({ tokenFile, hostname, cwd, env }: ClientTokenOptions): Promise<string | undefined> {
  if (tokenFile !== undefined) return readToken(tokenFile);
  if (env['SJP_TOKEN']) return env['SJP_TOKEN'];
  return isLoopback(hostname) ? readToken(ownTokenFile(cwd, env)).catch(() => undefined) : undefined;
}
