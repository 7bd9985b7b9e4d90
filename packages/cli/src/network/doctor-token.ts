import { parseSessionAddress } from '@proto/remote';
import { clientToken } from './token-file.ts';

/**
 * Finds the token as other clients do; undefined if no token is found, or if the address is not valid, which the report says.
 *
 * @throws Error where the given file has no token.
 */
export async function doctorToken(
  url: string | undefined,
  tokenFile: string | undefined,
  { cwd, env }: Pick<NodeJS.Process, 'cwd' | 'env'>,
): Promise<string | undefined> {
  if (url === undefined) return undefined;
  const hostname = hostnameOf(url);
  return hostname === undefined ? undefined : await clientToken({ tokenFile, hostname, cwd: cwd(), env });
}

function hostnameOf(url: string): string | undefined {
  try {
    return parseSessionAddress(url).hostname;
  } catch {
    return undefined;
  }
}
