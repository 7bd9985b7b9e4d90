import { parseJson } from '@proto/core/framing';
import { splitAtNul } from '@proto/core/internal';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A conversation of a host, and the session on the server that contains it. */
export interface RemoteSession {
  /** The id in the agent's messages, or the id that the host requested. */
  readonly conversation: string;
  readonly session: string;
  readonly base: string;
  readonly cwd: string;
}

/**
 * The sessions that hosts on this machine have used, stored in an append-only file. The file is needed because hosts resume by ids that the server
 * does not know.
 */
export interface RemoteSessions {
  find(conversation: string, base: string): Promise<string | undefined>;
  /** Returns the session that was last used in the folder. */
  latest(cwd: string, base: string): Promise<string | undefined>;
  remember(session: RemoteSession): Promise<void>;
}

/** Opens the list in a file. A missing file is an empty list. */
export function openRemoteSessions(file: string): RemoteSessions {
  const last = async (matches: (entry: RemoteSession) => boolean) => (await read(file)).findLast(matches)?.session;
  return {
    find: (conversation, base) => last((entry) => entry.conversation === conversation && entry.base === base),
    latest: (cwd, base) => last((entry) => entry.cwd === cwd && entry.base === base),
    async remember({ conversation, session, base, cwd }) {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      // The whole line is written at once, so that the lines of several hosts do not mix.
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
  return text
    .split('\n')
    .flatMap(splitAtNul)
    .flatMap((line) => {
      try {
        return line === '' ? [] : [parseJson(line) as RemoteSession];
      } catch {
        // The line may have been cut off by a full disk.
        return [];
      }
    });
}
