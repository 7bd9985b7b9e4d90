import { encodeLine } from '@proto/core/framing';
import { createLogLink, type LogLink, type ReceivedLine, type SocketLike } from '@proto/transport-websocket';
import { type Account, maySend } from '../auth/accounts.ts';
import type { StoredEvent } from '../log/event-log.ts';
import type { Entry } from '../session/entry.ts';
import { streamOf } from '../session/session-event.ts';
import type { EntryResult, Session } from '../session/session.ts';
import { Inbox } from './inbox.ts';
import { lineEntry } from './line-entry.ts';
import { closeCodes, LinkSink } from './link-sink.ts';
import { bareFormat, numberedFormat, refusedLine } from './socket-lines.ts';
import type { SocketContext } from './socket-context.ts';

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
  let sink: LinkSink | undefined;
  let inbox: Inbox | undefined;
  const link = createLogLink(
    socket,
    {
      authenticate:
        viewing !== undefined
          ? undefined
          : async (token) => {
              const found = await options.authenticate(token);
              if (typeof found === 'number') return found;
              viewing = found;
              return undefined;
            },
      onBegin({ received, stream }) {
        const { session, account } = viewing as Viewing;
        if (session.readers.size >= context.maxStreams) return link.close(BUSY);
        inbox = new Inbox(link, (lines) => store(link, { session, account }, stream, lines), context.onError);
        sink = new LinkSink(link, closeCodes);
        const format = link.isResumable ? numberedFormat : bareFormat;
        session.openViewer(sink, Math.max(received, options.cursor), {
          format,
          skips: (event) => isNoneOf(event, stream),
        });
      },
      onLines: (lines) => inbox?.push(lines),
      onProof: () => {},
      place: () => 0,
      onEnd() {
        context.links.delete(link);
        sink?.leave();
      },
    },
    context,
  );
  context.links.add(link);
  return link;
}

/**
 * What other clients ask of the worker and answer to it is between them; on a bare socket nothing would tell it from what the worker
 * asks. And who can be told apart does not hear what it said itself.
 */
function isNoneOf(event: StoredEvent, stream: string | undefined): boolean {
  if (event.source === 'worker') return false;
  return event.type.startsWith('control_') || (stream !== undefined && streamOf(event) === stream);
}

async function store(
  link: LogLink,
  { session, account }: Viewing,
  stream: string | undefined,
  lines: readonly ReceivedLine[],
): Promise<void> {
  const entries = lines.map((line) => lineEntry(line, stream)).filter((entry) => entry !== 'skipped');
  const allowed: (Entry | undefined)[] = [];
  for (const entry of entries) {
    if (entry === undefined || maySend(account, entry.type, entry.payload)) {
      // A viewer has nothing that is worth saying and not worth keeping.
      allowed.push(entry && { ...entry, ephemeral: false });
    } else refuse(link, entry, 'permission_error', REFUSED);
  }
  if (session.record.archived) {
    for (const entry of allowed) if (entry !== undefined) refuse(link, entry, 'session_not_active', GONE);
    return;
  }
  const failure = session.agentFailure;
  if (failure !== undefined) {
    // As with a status of 502: there may be an agent another time. Nothing of it is acknowledged.
    if (!link.isResumable) for (const entry of allowed) refuse(link, entry, failure.type);
    return link.close(BUSY);
  }
  const results = await session.postFromClient(allowed, account.name, stream);
  for (const [index, result] of results.entries()) {
    const entry = allowed[index];
    if ('error' in result && !isTooLate(result)) refuse(link, entry, result.error.type);
  }
}

/** A second answer to a request is no mistake of who gave it. */
function isTooLate(result: EntryResult): boolean {
  return 'error' in result && result.error.type === 'already_resolved';
}

/**
 * Says that a message is not taken: beside the messages where there is a way to, by the answer to a request, or by the end of the
 * link, where a code is given for that.
 */
function refuse(link: LogLink, entry: Entry | undefined, type: string, code?: number): void {
  if (link.isResumable) link.write(refusedLine(entry?.id, type));
  else if (entry?.type === 'control_request') {
    const response = { subtype: 'error', request_id: entry.payload['request_id'], error: type };
    link.write(encodeLine({ type: 'control_response', response, uuid: crypto.randomUUID() }));
  } else if (code !== undefined) link.close(code);
}
