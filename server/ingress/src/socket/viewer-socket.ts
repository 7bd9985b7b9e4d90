import type { ServerConnection, ReceivedLine, SocketLike } from '@proto/transport-websocket';
import type { Account } from '../auth/accounts.ts';
import { maySend } from '../auth/rights.ts';
import type { StoredEvent } from '../log/event-log.ts';
import { inSteps } from '../event-loop.ts';
import type { Entry, EntryRefusal } from '../session/entry.ts';
import { streamOf } from '../session/session-event.ts';
import type { Session } from '../session/session.ts';
import { latestCursor, type ReaderCursor } from '../stream/reader-cursor.ts';
import { Inbox } from './inbox.ts';
import { closeCodes, LinkSink } from './link-sink.ts';
import { entriesOfLines } from '../posts/entries-of-lines.ts';
import { MAX_BYTES_OF_NOBODY, type ServedSocket, serveLink, type SocketContext } from './serve-link.ts';
import { isAnswerOfClient } from '../stream/stream-format.ts';
import { bareFormat, numberedViewerFormat } from './socket-lines.ts';
import { type Refused, refusedOf, sendRefusals } from './send-refusals.ts';

export interface Viewing {
  readonly session: Session;
  readonly account: Account;
}

/** The options for the beginning of a viewer's socket. */
export interface ViewerSocketOptions {
  /** The viewer, if it was authenticated by the upgrade; undefined if the first frame contains the token. */
  readonly viewing: Viewing | undefined;
  /** Authenticates the token in the first frame. A number is the close code of a refusal. */
  readonly authenticate: (token: string) => Promise<Viewing | number>;
  /** The cursor in the URL, which is needed for clients that cannot put a cursor in a greeting. */
  readonly cursor: ReaderCursor;
  /** The greeting in the URL, which is needed for clients whose frames might not reach the server. */
  readonly greeting: string | undefined;
}

const [REFUSED, GONE, BUSY] = [4003, 4001, 1013];

/** Serves the WebSocket of a viewer: sends the session as on an event stream, and stores what the viewer sends. */
export function serveViewer(socket: SocketLike, context: SocketContext, options: ViewerSocketOptions): ServedSocket {
  let { viewing } = options;
  return serveLink(socket, context, {
    greeting: options.greeting,
    authenticate:
      viewing !== undefined
        ? undefined
        : async (token) => {
            const found = await options.authenticate(token);
            if (typeof found === 'number') return found;
            viewing = found;
            return undefined;
          },
    begin(link, { received, logName, stream }) {
      const { session, account } = viewing as Viewing;
      if (session.subscribers.size >= context.maxStreams) {
        link.close(BUSY);
        return undefined;
      }
      const sink = new LinkSink(link, closeCodes, socket);
      session.openViewer(sink, latestCursor([{ sequence: received, log: logName }, options.cursor]), {
        account,
        format: link.isResumable ? numberedViewerFormat : bareFormat,
        skips: (event) => isHiddenFrom(event, stream, link.isResumable),
      });
      // The greeting may arrive long after the upgrade.
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
    onDelivered: () => {},
    place: () => 0,
  });
}

/**
 * Whether an event is hidden from a viewer. The hidden events are the viewer's own messages, if its stream is known, and the control messages of
 * other clients, which the viewer could mistake for the worker's requests. In the resumable mode, the viewer receives other clients' answers as
 * `control_resolved`.
 */
function isHiddenFrom(event: StoredEvent, stream: string | undefined, isResumable: boolean): boolean {
  if (event.source === 'worker') return false;
  if (stream !== undefined && streamOf(event) === stream) return true;
  return event.type.startsWith('control_') && !(isResumable && isAnswerOfClient(event));
}

async function post(
  link: ServerConnection,
  { session, account }: Viewing,
  stream: string | undefined,
  lines: readonly ReceivedLine[],
): Promise<void> {
  const refused: Refused[] = [];
  const allowed: (Entry | EntryRefusal)[] = [];
  for (const entry of await inSteps(entriesOfLines(lines, { stream, isUnambiguous: account.role !== 'driver' }))) {
    if (entry === 'ambiguous_names') refused.push({ entry: undefined, type: entry, code: REFUSED });
    else if (typeof entry === 'string') allowed.push(entry);
    else if (!maySend(account, entry.type, entry.payload)) {
      refused.push({ entry, type: 'permission_error', code: REFUSED });
    } else {
      // Messages from clients are always stored.
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
    // This corresponds to status 502: a later attempt may find an agent. These messages are not acknowledged.
    void sendRefusals(link, link.isResumable ? refused : [...refused, ...messagesOf(allowed, failure.type)]);
    return link.close(BUSY);
  }
  await sendRefusals(link, refused);
}

function messagesOf(entries: readonly (Entry | EntryRefusal)[], type: string, code?: number): readonly Refused[] {
  return entries.flatMap((entry) => (typeof entry === 'string' ? [] : [{ entry, type, code }]));
}

/** Returns the maximum size of a message. A viewer sends only keep-alives, and an approver sends only answers. */
function messageBytesOf({ role }: Account, session: Session): number {
  if (role === 'driver') return Infinity;
  return role === 'viewer' ? MAX_BYTES_OF_NOBODY : session.maxAnswerBytes;
}
