import { createLogLink, type LogLink, type SocketLike } from '@proto/transport-websocket';
import type { Session } from '../session/session.ts';
import type { EventReader } from '../stream/event-reader.ts';
import { Inbox } from './inbox.ts';
import { lineEntry } from './line-entry.ts';
import { bareWorkerCodes, closeCodes, LinkSink } from './link-sink.ts';
import { bareFormat, numberedFormat, refusedLine } from './socket-lines.ts';
import type { SocketContext } from './socket-context.ts';

/** Which worker it is. */
export interface WorkerSocketOptions {
  readonly session: Session;
  /** The id of its token. */
  readonly token: string;
  /** Whether it has sent something over an earlier link: it is the process that was there before. */
  readonly continues: boolean;
}

/** Serves a socket of a worker: what viewers send, and what the worker sends. */
export function serveWorker(
  socket: SocketLike,
  context: SocketContext,
  { session, token, continues }: WorkerSocketOptions,
): LogLink {
  let sink: LinkSink | undefined;
  let reader: EventReader | undefined;
  let inbox: Inbox | undefined;
  let proved = 0;
  const link = createLogLink(
    socket,
    {
      onBegin({ received, stream }) {
        const codes = link.isResumable ? closeCodes : bareWorkerCodes;
        // Nothing is waited for from here on, so that a worker which has just lost its seat ends no stream of the next one.
        const conflict = session.conflict(token);
        if (conflict !== undefined) {
          return link.close(conflict === 'session_not_active' ? bareWorkerCodes.archived : codes.superseded);
        }
        sink = new LinkSink(link, codes);
        inbox = new Inbox(
          link,
          async (lines) => {
            const entries = lines.map((line) => lineEntry(line, stream)).filter((entry) => entry !== 'skipped');
            const results = await session.postFromWorker(token, undefined, entries);
            if (typeof results === 'string') return sink?.end('superseded');
            for (const result of results) {
              if ('error' in result && link.isResumable) link.write(refusedLine(result.event_id, result.error.type));
            }
          },
          context.onError,
        );
        // Bare lines do not say what has arrived; what earlier links proved to have is known here.
        const cursor = link.isResumable || !continues ? received : session.provedUpTo;
        const format = link.isResumable ? numberedFormat : bareFormat;
        reader = session.openWorker(sink, cursor, { format });
      },
      onLines: (lines) => inbox?.push(lines),
      onProof(place) {
        if (place <= proved || place > (reader?.cursor ?? 0)) return;
        proved = place;
        session.proveDelivery(token, place).catch(context.onError);
      },
      place: () => reader?.cursor ?? 0,
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
