import type { Transport } from '@proto/core/transport';
import { undiciFetch } from '@proto/transport-sse/node';
import { createReconnectingTransport } from '@proto/transport-websocket';
import { openSocket } from '@proto/transport-websocket/node';
import type { HeadlessOptions } from '@proto/headless';
import { openSession, openViewer, SessionError } from '@proto/remote';
import type { RemoteSessions } from './remote-sessions.ts';
import type { ShimAddress } from './shim-address.ts';

/** Which agent, and as whom. */
export interface OpenRemoteOptions {
  readonly address: ShimAddress;
  readonly options: HeadlessOptions;
  readonly token: () => Promise<string | undefined>;
  readonly sessions: RemoteSessions;
  readonly cwd: string;
}

/** The way to an agent, and the session it is, where it is one of a server. */
export interface Remote {
  readonly transport: Transport;
  readonly session: string | undefined;
}

/** There is nothing to resume; told as published agents do. */
class MissingConversation extends Error {}

/** Makes the session, or finds the one that the command line names. Rejects where there is none. */
export async function openRemote({ address, options, token, sessions, cwd }: OpenRemoteOptions): Promise<Remote> {
  const present = await token();
  // One that is gone from its file is tried once more: the server says what it thinks of it.
  const again = present === undefined ? undefined : async () => (await token()) ?? present;
  if (address.kind === 'socket') {
    if (options.resume !== undefined || options.continue === true) {
      throw new Error('--resume and --continue need a server of sessions; SJP_SHIM_URL is a WebSocket of an agent');
    }
    const credentials = again === undefined ? {} : { credential: again };
    const transport = createReconnectingTransport({ url: address.url, open: openSocket, ...credentials });
    return { transport, session: undefined };
  }
  const { base } = address;
  const session = (await resumed(options, address.base, { sessions, cwd })) ?? address.session ?? 'new';
  const opened = await openSession({ base, session, token: present }).catch((error: unknown) => {
    const isGone = error instanceof SessionError && error.code === 'not_found';
    throw isGone && session !== 'new' ? new MissingConversation(notFound(options)) : error;
  });
  const transport = openViewer({
    url: opened.url,
    prefer: address.prefer,
    fetch: undiciFetch(),
    // What was said before is known to a host that resumes.
    cursor: opened.last > 0 ? String(opened.last) : undefined,
    credential: again,
  });
  return { transport, session: opened.id };
}

async function resumed(
  options: HeadlessOptions,
  base: string,
  { sessions, cwd }: Pick<OpenRemoteOptions, 'sessions' | 'cwd'>,
): Promise<string | undefined> {
  const { resume } = options;
  if (resume === undefined && options.continue !== true) return undefined;
  if (resume === true) throw new Error('--resume needs the ID of a session');
  // As the server names it.
  if (resume?.startsWith('cse_')) return resume;
  const found = resume === undefined ? await sessions.latest(cwd, base) : await sessions.find(resume, base);
  if (found === undefined) throw new MissingConversation(notFound(options));
  return found;
}

function notFound({ resume }: HeadlessOptions): string {
  return resume === undefined
    ? 'No conversation found to continue'
    : `No conversation found with session ID: ${String(resume)}`;
}
