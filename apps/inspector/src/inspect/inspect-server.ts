import { type InspectedSessions, ServerSessions } from '@proto/inspector';
import { listSessions, openSession, parseSessionAddress } from '@proto/remote';
import type { RunProcess } from '@proto/terminal';
import { clientToken } from '../token-file.ts';
import type { InspectOptions, InspectPlan } from './inspect-plan.ts';

/**
 * Opens the sessions of a server with the token of this machine, so that the page has the rights of its account.
 *
 * @throws SessionError when the server cannot be reached, or refuses.
 */
export async function inspectServer(
  { address, session }: Extract<InspectPlan, { kind: 'server' }>,
  { tokenFile }: InspectOptions,
  { env, cwd }: RunProcess,
): Promise<{ readonly sessions: InspectedSessions; close(): void }> {
  const { base, hostname, session: named } = parseSessionAddress(address);
  const only = session ?? named;
  const token = () => clientToken({ tokenFile, hostname, cwd: cwd(), env });
  // Said before the page is opened, where it can still be an exit code.
  if (only === undefined) await listSessions({ base, token: await token(), limit: 1 });
  else await openSession({ base, session: only, token: await token() });
  const sessions = new ServerSessions({ base, token, fetch: (url, init) => fetch(url, init), only });
  return { sessions, close: () => sessions.close() };
}
