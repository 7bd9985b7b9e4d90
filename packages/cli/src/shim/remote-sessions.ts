import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A conversation as its host knows it, and the session of the server that it is. */
export interface RemoteSession {
  /** The id in the messages of the agent, or the one that the host has asked for. */
  readonly conversation: string;
  readonly session: string;
  readonly base: string;
  readonly cwd: string;
}

/** Which sessions the hosts of this machine have had, in a file that only grows: hosts resume by ids that the server does not know. */
export interface RemoteSessions {
  find(conversation: string, base: string): Promise<string | undefined>;
  /** The one of this folder that was used last. */
  latest(cwd: string, base: string): Promise<string | undefined>;
  remember(session: RemoteSession): Promise<void>;
}

/** Opens the list; a file that is not there is an empty one. */
export function openRemoteSessions(file: string): RemoteSessions {
  const last = async (matches: (entry: RemoteSession) => boolean) => (await read(file)).findLast(matches)?.session;
  return {
    find: (conversation, base) => last((entry) => entry.conversation === conversation && entry.base === base),
    latest: (cwd, base) => last((entry) => entry.cwd === cwd && entry.base === base),
    async remember({ conversation, session, base, cwd }) {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      // One line in one write: hosts that run at once do not tear each other's apart.
      await appendFile(file, `${JSON.stringify({ conversation, session, base, cwd })}\n`, { mode: 0o600 });
    },
  };
}

async function read(file: string): Promise<readonly RemoteSession[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as RemoteSession];
    } catch {
      // A line that a full disk has cut.
      return [];
    }
  });
}
