import { parseServerProfile } from '../server/server-profile.ts';
import { testServer } from '../server/test-server.ts';
import type { CommandIo } from './io.ts';
import { type CommandOptions, runConformance } from './run-command.ts';
import { readOption } from './usage-error.ts';

/** The options of `sjp conformance server`. */
export interface ServerOptions extends CommandOptions {
  readonly url: string;
  /** The file with the tokens, how a session is made, and what the server declares. */
  readonly tokens: string;
}

/** `sjp conformance server`. Returns the exit code. */
export function checkServer({ url, tokens, ...options }: ServerOptions, io: CommandIo): Promise<number> {
  return runConformance('server', url, options, io, async (test) => {
    const profile = parseServerProfile(await readOption('The file of tokens', tokens));
    return testServer({ ...test, url, profile });
  });
}
