import type { LogLink, ReceivedLine, SocketLike } from '@proto/transport-websocket';
import { type Account, maySend } from '../auth/accounts.ts';
import type { StoredEvent } from '../log/event-log.ts';
import type { Entry } from '../session/entry.ts';
import { streamOf } from '../session/session-event.ts';
import type { Session } from '../session/session.ts';
import { Inbox } from './inbox.ts';
import { entriesOf } from './line-entry.ts';
import { closeCodes, LinkSink } from './link-sink.ts';
import { serveLink } from './serve-link.ts';
import { bareFormat, numberedFormat } from './socket-lines.ts';
import type { SocketContext } from './socket-context.ts';
import { type Refused, refusedOf, tellRefused } from './tell-refused.ts';

/** Who is at the other end, and in which session. */
export interface Viewing {
  readonly session: Session;
  readonly account: Account;
}

/** How a socket of a viewer begins. */
export interface ViewerSocketOptions {
  /** Who the upgrade says it is; undefined where the first frame is to say it. */
  readonly viewing: Viewing | undefined;
  /** Finds out by the token of the first frame; a number is the close code. */
  readonly authenticate: (token: string) => Promise<Viewing | number>;
  /** Where a client that cannot say what it has wants to begin. */
  readonly cursor: number;
}

const [REFUSED, GONE, BUSY] = [4003, 4001, 1013];

/** Serves a socket of a viewer: the session as on an event stream, and what the viewer sends. */
export function serveViewer(socket: SocketLike, context: SocketContext, options: ViewerSocketOptions): LogLink {
  let { viewing } = options;
  return serveLink(socket, context, {
    authenticate:
      viewing !== undefined
        ? undefined
        : async (token) => {
            const found = await options.authenticate(token);
            if (typeof found === 'number') return found;
            viewing = found;
            return undefined;
          },
    begin(link, { received, stream }) {
      const { session, account } = viewing as Viewing;
      if (session.readers.size >= context.maxStreams) {
        link.close(BUSY);
        return undefined;
      }
      const sink = new LinkSink(link, closeCodes);
      session.openViewer(sink, Math.max(received, options.cursor), {
        account,
        format: link.isResumable ? numberedFormat : bareFormat,
        skips: (event) => isNoneOf(event, stream),
      });
      const store = async (lines: readonly ReceivedLine[]) => {
        if (await context.isCurrent(account)) await post(link, { session, account }, stream, lines);
        else sink.end('revoked');
      };
      return { sink, inbox: new Inbox(link, store, context.onError) };
    },
    onProof: () => {},
    place: () => 0,
  });
}

/**
 * What other clients ask of the worker and answer to it is between them; on a bare socket nothing would tell it from what the worker
 * asks. And who can be told apart does not hear what it said itself.
 */
function isNoneOf(event: StoredEvent, stream: string | undefined): boolean {
  if (event.source === 'worker') return false;
  return event.type.startsWith('control_') || (stream !== undefined && streamOf(event) === stream);
}

async function post(
  link: LogLink,
  { session, account }: Viewing,
  stream: string | undefined,
  lines: readonly ReceivedLine[],
): Promise<void> {
  const refused: Refused[] = [];
  const allowed: (Entry | undefined)[] = [];
  for (const entry of entriesOf(lines, stream)) {
    if (entry === undefined || maySend(account, entry.type, entry.payload)) {
      // A viewer has nothing that is worth saying and not worth keeping.
      allowed.push(entry && { ...entry, ephemeral: false });
    } else refused.push({ entry, type: 'permission_error', code: REFUSED });
  }
  const failure = session.agentFailure;
  if (session.record.archived) {
    refused.push(...messagesOf(allowed, 'session_not_active', GONE));
  } else if (failure === undefined) {
    refused.push(...refusedOf(allowed, await session.postFromClient(allowed, account.name, stream)));
  } else {
    // As with a status of 502: there may be an agent another time. Nothing of it is acknowledged.
    void tellRefused(link, link.isResumable ? refused : [...refused, ...messagesOf(allowed, failure.type)]);
    return link.close(BUSY);
  }
  await tellRefused(link, refused);
}

function messagesOf(entries: readonly (Entry | undefined)[], type: string, code?: number): readonly Refused[] {
  return entries.flatMap((entry) => (entry === undefined ? [] : [{ entry, type, code }]));
}
