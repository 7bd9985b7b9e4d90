import {
  createLogLink,
  type LinkBeginning,
  type LogLink,
  type LogLinkEvents,
  type SocketLike,
} from '@proto/transport-websocket';
import { idOf } from '../session/id.ts';
import type { Inbox } from './inbox.ts';
import type { LinkSink } from './link-sink.ts';
import type { SocketContext } from './socket-context.ts';

const NO_GREETING = 1008;

/** What a link is served with once it has begun. */
export interface Serving {
  readonly sink: LinkSink;
  readonly inbox: Inbox;
}

/** What one kind of links does in its own way. */
export interface ServedLink extends Pick<LogLinkEvents, 'authenticate' | 'onProof' | 'place'> {
  /** Begins to serve; undefined where it has closed the link instead. */
  begin(link: LogLink, beginning: LinkBeginning): Serving | undefined;
}

/** Serves a socket from its beginning to its end. */
export function serveLink(socket: SocketLike, context: SocketContext, { begin, ...events }: ServedLink): LogLink {
  let serving: Serving | undefined;
  const link = createLogLink(
    socket,
    {
      ...events,
      onBegin(beginning) {
        const { stream } = beginning;
        // It is kept with each message of the stream.
        if (stream !== undefined && idOf(stream) === undefined) return link.close(NO_GREETING);
        serving = begin(link, beginning);
      },
      onLines: (lines) => serving?.inbox.push(lines),
      onEnd() {
        context.links.delete(link);
        serving?.sink.leave();
      },
    },
    context,
  );
  context.links.add(link);
  return link;
}
