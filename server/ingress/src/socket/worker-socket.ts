import type { ReceivedLine, SocketLike } from '@proto/transport-websocket';
import { inSteps } from '../event-loop.ts';
import type { Session } from '../session/session.ts';
import type { EventReader } from '../stream/event-reader.ts';
import { Inbox } from './inbox.ts';
import { bareWorkerCodes, closeCodes, LinkSink } from './link-sink.ts';
import { entriesOfLines } from '../posts/entries-of-lines.ts';
import { type ServedSocket, serveLink, type SocketContext } from './serve-link.ts';
import { bareFormat, numberedFormat } from './socket-lines.ts';
import { refusedOf, sendRefusals } from './send-refusals.ts';

export interface WorkerSocketOptions {
  readonly session: Session;
  /** The id of the lease for which the worker's token was issued. */
  readonly token: string;
  /** Whether the same process has already sent messages over an earlier link. */
  readonly continues: boolean;
  /** The greeting in the URL, which is needed for workers whose frames might not reach the server. */
  readonly greeting: string | undefined;
}

/** Serves the WebSocket of a worker: sends what clients send, and stores what the worker sends. */
export function serveWorker(
  socket: SocketLike,
  context: SocketContext,
  { session, token, continues, greeting }: WorkerSocketOptions,
): ServedSocket {
  let reader: EventReader | undefined;
  let proved = 0;
  return serveLink(socket, context, {
    greeting,
    begin(link, { received, logName, stream }) {
      const codes = link.isResumable ? closeCodes : bareWorkerCodes;
      // Nothing is awaited after this check, so that a worker that has just lost its lease cannot end a stream of the next worker.
      const conflict = session.conflict(token);
      if (conflict !== undefined) {
        link.close(conflict === 'session_not_active' ? bareWorkerCodes.archived : codes.superseded);
        return undefined;
      }
      const sink = new LinkSink(link, codes, socket);
      const store = async (lines: readonly ReceivedLine[]) => {
        const posted = await inSteps(entriesOfLines(lines, { stream }));
        const results = await session.postFromWorker(token, undefined, posted);
        if (typeof results === 'string') sink.end('superseded');
        else await sendRefusals(link, refusedOf(posted, results));
      };
      // Bare lines have no cursor. The session knows which events have arrived over this worker's earlier links.
      const sequence = link.isResumable || !continues ? received : session.deliveredUpTo;
      const format = link.isResumable ? numberedFormat : bareFormat;
      reader = session.openWorker(sink, { sequence, log: logName }, format);
      const owe = context.rates.owedByWorker(session.record.id);
      const { onError, clock } = context;
      return { sink, inbox: new Inbox(link, { store, owe, onError, clock }), maxMessageBytes: () => Infinity };
    },
    onDelivered(place) {
      if (place <= proved || place > (reader?.cursor ?? 0)) return;
      proved = place;
      session.proveDelivery(token, place).catch(context.onError);
    },
    place: () => reader?.cursor ?? 0,
  });
}
