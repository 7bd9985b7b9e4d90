import { join } from 'node:path';
import { stateDirectory } from '@proto/headless';
import { isLoopback, readToken } from '@proto/remote';

/** Returns the file in which `sjp serve` keeps the token that it has made, and `sjp connect` finds it. */
export function ownTokenFile(cwd: string, env: Readonly<Record<string, string | undefined>>): string {
  return join(stateDirectory(cwd, env), 'token');
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
 * Finds the token of a client: in the given file, in `SJP_TOKEN`, or in the file of the server on this machine; undefined if there is none.
 * Rejects if the given file has no token.
 */
export async function clientToken({ tokenFile, hostname, cwd, env }: ClientTokenOptions): Promise<string | undefined> {
  if (tokenFile !== undefined) return readToken(tokenFile);
  if (env['SJP_TOKEN']) return env['SJP_TOKEN'];
  return isLoopback(hostname) ? readToken(ownTokenFile(cwd, env)).catch(() => undefined) : undefined;
}
