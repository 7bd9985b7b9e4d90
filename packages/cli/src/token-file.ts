import { join } from 'node:path';
import { stateDirectory } from '@proto/headless';
import { createTokenFinder } from '@proto/remote/node';

export interface Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
}

/** `sjp serve` stores its token in this file, and `sjp connect` reads the file. */
export function ownTokenFile(here: Place): string {
  return join(stateDirectory(here.cwd(), here.env), 'token');
}

/** Looks for the token in the given file, in `SJP_TOKEN`, or in the file of the server on this machine. */
export function tokenFinder(tokenFile: string | undefined, here: Place): ReturnType<typeof createTokenFinder> {
  return createTokenFinder({ tokenFile, token: here.env['SJP_TOKEN'], serverFile: ownTokenFile(here) });
}
