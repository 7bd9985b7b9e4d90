import type { EditorAgent, EditorSessions, ListedConversation } from '@proto/acp';
import { parseJson } from '@proto/core/framing';
import { numberedCursor, parseNumberedCursor } from '@proto/core/network';
import { type Incoming, type Transport, wrapTransport } from '@proto/core/transport';
import {
  askForToken,
  type LinkKind,
  listSessions,
  openSession,
  openViewer,
  type OpenViewerOptions,
  SessionError,
  serverSessions,
  type SessionSource,
} from '@proto/remote';

/** The server whose sessions an editor opens. */
export interface ServerSessionsOptions extends Pick<OpenViewerOptions, 'open' | 'fetch'> {
  /** The address of the server, without a slash at its end. */
  readonly base: string;
  /** The kind of link to try first. */
  readonly prefer: LinkKind;
  /** Returns the token for the server. Called for each link. Default: no token is sent. */
  readonly token?: () => Promise<string | undefined>;
  /** The folder that editors are shown as the folder of each session, because a server does not know the folders of its agents. */
  readonly cwd: string;
}

/**
 * Opens the sessions of a server for an editor. The agents run elsewhere, and go on when the editor is closed. An editor that loads a session gets the
 * whole conversation, and then what happens. Deleting a session archives it.
 */
export function serverSessionsFor(options: ServerSessionsOptions): EditorSessions {
  const { base, token: ask = async () => undefined, cwd } = options;
  return {
    isLocal: false,
    async create() {
      const { token } = await askForToken(ask);
      return agentOf(await openSession({ base, session: 'new', token }), options);
    },
    async open(sessionId) {
      if (!isId(sessionId)) return undefined;
      const { token } = await askForToken(ask);
      const opened = await existing(openSession({ base, session: sessionId, token }));
      if (opened === undefined) return undefined;
      const last = await lastSaid(serverSessions(base, token), opened);
      return agentOf({ ...opened, last }, options);
    },
    conversations: {
      async list(folder = cwd) {
        const { token } = await askForToken(ask);
        const found: ListedConversation[] = [];
        let before: string | undefined;
        do {
          const page = await listSessions({ base, token, limit: PAGE, before });
          for (const { id, title, createdAt, archived } of page.sessions)
            if (!archived)
              found.push({
                sessionId: id,
                cwd: folder,
                updatedAt: createdAt.toISOString(),
                ...(title !== '' && { title }),
              });
          // A server that repeats a page would make the list endless.
          before = page.nextBefore === before ? undefined : page.nextBefore;
        } while (before !== undefined);
        return found;
      },
      async delete(sessionId) {
        if (!isId(sessionId)) return;
        const { token } = await askForToken(ask);
        await existing(serverSessions(base, token).archive?.(sessionId));
      },
    },
  };
}

const PAGE = 100;

/** Whether an id of an editor can be the id of a session. It becomes a part of an address, and `new` would create a session. */
function isId(sessionId: string): boolean {
  return /^[\w-]+$/.test(sessionId) && sessionId !== 'new';
}

/**
 * The number of the last event that every viewer gets as a message. Requests, answers and cancels are left out, because some of them are not meant for
 * every viewer.
 */
async function lastSaid(
  source: SessionSource,
  { id, last }: { readonly id: string; readonly last: number },
): Promise<number> {
  for (let end = Number.isSafeInteger(last) ? last : 0; end > 0; end -= PAGE) {
    const { lines } = await source.eventsAfter(id, numberedCursor(Math.max(0, end - PAGE), undefined));
    const events = lines.map(
      (line) => parseJson(line) as { sequence_num: unknown; payload?: { type?: unknown } | null },
    );
    const said = events.findLast(({ payload }) => payload && !String(payload.type).startsWith('control_'));
    if (said !== undefined) return Number(said.sequence_num);
  }
  return 0;
}

/** `undefined` if the session does not exist. */
async function existing<T>(answer: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof SessionError && error.code === 'not_found') return undefined;
    throw error;
  }
}

function agentOf(
  { id, url, last }: Awaited<ReturnType<typeof openSession>>,
  { prefer, token, open, fetch }: ServerSessionsOptions,
): EditorAgent {
  const viewer = openViewer({
    url,
    prefer,
    ...(token && { credential: async () => (await token()) ?? '' }),
    ...(open && { open }),
    ...(fetch && { fetch }),
  });
  const { transport, reached } = untilPlace(viewer, last);
  return { sessionId: id, transport, caughtUp: reached };
}

/** Fulfils `reached` when the reader of the transport has taken everything up to a place in the log. Rejects if the transport ends before. */
function untilPlace(viewer: Transport, last: number): { transport: Transport; reached: Promise<void> } {
  let resolve = () => {};
  let reject: (reason: unknown) => void = () => {};
  const reached = new Promise<void>((done, failed) => ([resolve, reject] = [done, failed]));
  reached.catch(() => {});
  if (last === 0) resolve();
  const isBeyond = (item: Incoming) =>
    item.kind === 'message' && item.cursor !== undefined && parseNumberedCursor(item.cursor)[0] >= last;
  async function* incoming(): AsyncGenerator<readonly Incoming[], undefined> {
    try {
      for await (const items of viewer.incoming) {
        yield items;
        if (items.some(isBeyond)) resolve();
      }
    } catch (error) {
      reject(error);
      throw error;
    } finally {
      reject(new Error('the session has ended'));
    }
  }
  return { transport: wrapTransport(viewer, { incoming: incoming() }), reached };
}
