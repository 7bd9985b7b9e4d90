import {
  createLogLink,
  type LinkOptions,
  type LogLink,
  type LogLinkEvents,
  type SocketLike,
} from '@proto/transport-websocket';
import type { AccountChecks } from '../auth/account-checks.ts';
import { idOf } from '../json/values.ts';
import type { RateLimits } from '../rate/rate-limits.ts';
import type { Inbox } from './inbox.ts';
import type { LinkSink } from './link-sink.ts';

/** What all sockets share. */
export interface SocketContext extends LinkOptions {
  /** Streams of one session at a time. */
  readonly maxStreams: number;
  /** Those there are. */
  readonly links: Set<LogLink>;
  readonly rates: RateLimits;
  readonly accounts: AccountChecks;
  readonly onError: (error: unknown) => void;
}

const NO_GREETING = 1008;

/** What a client may send in one message before it has shown who it is, and who may send nothing: 64 KiB. */
export const MAX_BYTES_OF_NOBODY: number = 64 * 1024;

/** What a link is served with once it has begun. */
export interface Serving {
  readonly sink: LinkSink;
  readonly inbox: Inbox;
  /** How many bytes the next message may have, as far as this depends on who sends it. */
  readonly maxMessageBytes: () => number;
}

/** A socket that is served. */
export interface ServedSocket {
  /** How many bytes the next message may have. Whoever reads the connection breaks it off where more has come and no message. */
  readonly maxMessageBytes: number;
  /** Counts bytes that have come over the connection; where they are too many in a second, it is not read for a while. */
  received(bytes: number): void;
}

/** What one kind of links does in its own way. */
export interface ServedLink extends Pick<LogLinkEvents, 'authenticate' | 'onProof' | 'place'> {
  /** Begins to serve; undefined where it has closed the link instead. */
  begin(link: LogLink, beginning: Parameters<LogLinkEvents['onBegin']>[0]): Serving | undefined;
}

/** Serves a socket from its beginning to its end. */
export function serveLink(socket: SocketLike, context: SocketContext, { begin, ...events }: ServedLink): ServedSocket {
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
        serving?.inbox.end();
      },
    },
    context,
  );
  context.links.add(link);
  return {
    get maxMessageBytes() {
      return serving?.maxMessageBytes() ?? MAX_BYTES_OF_NOBODY;
    },
    received: (bytes) => serving?.inbox.received(bytes),
  };
}
