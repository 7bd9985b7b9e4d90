import { isLoopback } from '@proto/remote';
import { ownTokenFile, readToken } from './token-file.ts';

/** Where a client may find its token. */
export interface ClientTokenOptions {
  readonly tokenFile: string | undefined;
  /** The host it is for: the token of this machine's own server goes to no other. */
  readonly hostname: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The token of a client, read anew each time it is asked for: of the file that was given, of `SJP_TOKEN`, or of the server of this
 * machine; undefined where there is none. Rejects where a file that was given has none.
 */
export async function clientToken({ tokenFile, hostname, cwd, env }: ClientTokenOptions): Promise<string | undefined> {
  if (tokenFile !== undefined) return readToken(tokenFile);
  if (env['SJP_TOKEN']) return env['SJP_TOKEN'];
  return isLoopback(hostname) ? readToken(ownTokenFile(cwd, env)).catch(() => undefined) : undefined;
}
