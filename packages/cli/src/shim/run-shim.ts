import { join } from 'node:path';
import { type HeadlessOptions, stateDirectory } from '@proto/headless';
import { clientToken } from '../network/client-token.ts';
import { openHostEnd } from './host-end.ts';
import { openRemote } from './open-remote.ts';
import { openRemoteSessions } from './remote-sessions.ts';
import { parseShimAddress } from './shim-address.ts';
import type { ShimProcess } from './shim-process.ts';
import { StandIn } from './stand-in.ts';
import { type Travelling, travellingOf } from './travelling.ts';

/** Stands for an agent that is elsewhere, until its host or the agent is done. Gives the exit code; rejects where there is no agent. */
export async function runShim(options: HeadlessOptions, here: ShimProcess): Promise<number> {
  const { SJP_SHIM_URL: url, SJP_SHIM_TOKEN_FILE: tokenFile } = here.env;
  if (!url) throw new Error('SJP_SHIM_URL is not set: it says where the agent is, such as https://box.example/v1');
  const address = parseShimAddress(url);
  const travelling = await travellingOf(options);
  // Ahead of the session, which is not made for nothing.
  const host = await openHostEnd(options, here);
  const cwd = here.cwd();
  const place = { hostname: address.hostname, cwd, env: here.env };
  const token = () => clientToken({ tokenFile: tokenFile || undefined, ...place });
  const sessions = openRemoteSessions(join(stateDirectory(cwd, here.env), 'remote-sessions.jsonl'));
  const remote = await openRemote({ address, options, token, sessions, cwd });
  here.stderr.write(noticeOf(address.hostname, travelling));
  const remember = async (conversation: string) => {
    if (remote.session === undefined || address.kind !== 'sessions') return;
    await sessions.remember({ conversation, session: remote.session, base: address.base, cwd });
  };
  if (options.sessionId !== undefined) await remember(options.sessionId);
  return new StandIn(remote, options, here, { host, travelling, remember }).run();
}

/** What a user has to know whose files are not where the agent is. */
function noticeOf(hostname: string, { left }: Travelling): string {
  const flags = left.length === 0 ? '' : ` Not passed on: ${left.join(', ')}.`;
  return `sjp-shim: the agent runs on ${hostname}, with its own working directory, files and MCP servers.${flags}\n`;
}
