import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isLoopback } from '../session-address.ts';

/** Reads the token in a file. Rejects if the file contains no token. No error message contains any part of the file. */
export async function readToken(file: string): Promise<string> {
  const token = (await readFile(file, 'utf8')).trim();
  if (!/^\S{16,}$/.test(token))
    throw new Error(`${file} does not contain a token: a token must be one word of at least 16 characters`);
  return token;
}

/** Reads the token in a file. If the file is missing, a file with a new token is created that only its owner can read. */
export async function keepToken(file: string): Promise<string> {
  try {
    return await readToken(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const token = randomBytes(32).toString('base64url');
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // The file is created completely or not at all. When several servers start at once, the first server's token is used.
  const made = `${file}.${process.pid}`;
  // A file with that name was left by a crashed process or created by an attacker.
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

/** Where a client on this machine looks for its token, in this order. */
export interface TokenFinderOptions {
  /** The file with the token, which is read again for each link. Default: none. */
  readonly tokenFile?: string | undefined;
  /** The token itself, such as the value of a variable. Default: no such token. */
  readonly token?: string | undefined;
  /**
   * The file in which the server on this machine keeps its token; see `keepToken`. That token is never sent to another host. Default: none.
   */
  readonly serverFile?: string | undefined;
}

/**
 * Creates the function that finds the token for a host name, as needed by `connectSession`, `openEndpoint` and `runShim`. The function fulfils with
 * undefined if no token was found, and rejects if `tokenFile` contains no token.
 */
export function createTokenFinder({
  tokenFile,
  token,
  serverFile,
}: TokenFinderOptions): (hostname: string) => Promise<string | undefined> {
  return async (hostname) => {
    if (tokenFile !== undefined) return readToken(tokenFile);
    if (token) return token;
    if (serverFile === undefined || !isLoopback(hostname)) return undefined;
    return readToken(serverFile).catch(() => undefined);
  };
}
