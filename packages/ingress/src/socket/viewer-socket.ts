import type { LogLink, ReceivedLine, SocketLike } from '@proto/transport-websocket';
import { type Account, maySend } from '../auth/accounts.ts';
import type { StoredEvent } from '../log/event-log.ts';
import type { Entry, EntryRefusal } from '../session/entry.ts';
import { streamOf } from '../session/session-event.ts';
import type { Session } from '../session/session.ts';
import { Inbox } from './inbox.ts';
import { closeCodes, LinkSink } from './link-sink.ts';
import { postedLines } from './posted-lines.ts';
import { MAX_BYTES_OF_NOBODY, type ServedSocket, serveLink, type SocketContext } from './serve-link.ts';
import { bareFormat, isAnswerOfClient, numberedViewerFormat } from './socket-lines.ts';
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
export function serveViewer(socket: SocketLike, context: SocketContext, options: ViewerSocketOptions): ServedSocket {
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
      if (session.subscribers.size >= context.maxStreams) {
        link.close(BUSY);
        return undefined;
      }
      const sink = new LinkSink(link, closeCodes);
      session.openViewer(sink, Math.max(received, options.cursor), {
        account,
        format: link.isResumable ? numberedViewerFormat : bareFormat,
        skips: (event) => isHiddenFrom(event, stream, link.isResumable),
      });
      // The greeting may have come long after the upgrade.
      context.accounts.checkOpened(account, sink);
      const store = async (lines: readonly ReceivedLine[]) => {
        const ended = await context.accounts.whyEnded(account);
        if (ended === undefined) await post(link, { session, account }, stream, lines);
        else sink.end(ended);
      };
      const owe = context.rates.owedByAccount(account);
      const { onError, clock } = context;
      const maxMessageBytes = () => messageBytesOf(account, session);
      return { sink, inbox: new Inbox(link, { store, owe, onError, clock }), maxMessageBytes };
    },
    onProof: () => {},
    place: () => 0,
  });
}

/**
 * What other clients ask of the worker and answer to it is between them; on a bare socket nothing would tell it from what the worker
 * asks. And who can be told apart does not hear what it said itself. That they have answered is said where there are words for it.
 */
function isHiddenFrom(event: StoredEvent, stream: string | undefined, isResumable: boolean): boolean {
  if (event.source === 'worker') return false;
  if (stream !== undefined && streamOf(event) === stream) return true;
  return event.type.startsWith('control_') && !(isResumable && isAnswerOfClient(event));
}

async function post(
  link: LogLink,
  { session, account }: Viewing,
  stream: string | undefined,
  lines: readonly ReceivedLine[],
): Promise<void> {
  const refused: Refused[] = [];
  const allowed: (Entry | EntryRefusal)[] = [];
  for (const entry of await postedLines(lines, { stream, isUnambiguous: account.role !== 'driver' })) {
    if (entry === 'ambiguous_names') refused.push({ entry: undefined, type: entry, code: REFUSED });
    else if (typeof entry === 'string') allowed.push(entry);
    else if (!maySend(account, entry.type, entry.payload)) {
      refused.push({ entry, type: 'permission_error', code: REFUSED });
    } else {
      // A viewer has nothing that is worth saying and not worth keeping.
      allowed.push(entry.ephemeral ? { ...entry, ephemeral: false } : entry);
    }
  }
  const failure = session.agentFailure;
  if (session.record.archived) {
    refused.push(...messagesOf(allowed, 'session_not_active', GONE));
  } else if (failure === undefined) {
    const { name, role } = account;
    const results = await session.postFromClient(allowed, { source: 'client', name, role, stream });
    refused.push(...refusedOf(allowed, results));
  } else {
    // As with a status of 502: there may be an agent another time. Nothing of it is acknowledged.
    void tellRefused(link, link.isResumable ? refused : [...refused, ...messagesOf(allowed, failure.type)]);
    return link.close(BUSY);
  }
  await tellRefused(link, refused);
}

function messagesOf(entries: readonly (Entry | EntryRefusal)[], type: string, code?: number): readonly Refused[] {
  return entries.flatMap((entry) => (typeof entry === 'string' ? [] : [{ entry, type, code }]));
}

/** How long a message of an account may be: a viewer has none to send, and an approver only answers. */
function messageBytesOf({ role }: Account, session: Session): number {
  if (role === 'driver') return Infinity;
  return role === 'viewer' ? MAX_BYTES_OF_NOBODY : session.maxAnswerBytes;
}
