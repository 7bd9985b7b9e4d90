import {
  createServerConnection,
  type LinkOptions,
  type ServerConnection,
  type ServerConnectionEvents,
  type SocketLike,
} from '@proto/transport-websocket';
import type { AccountChecks } from '../auth/account-checks.ts';
import { idOf } from '../json/values.ts';
import type { RateLimits } from '../rate/rate-limits.ts';
import type { Inbox } from './inbox.ts';
import type { LinkSink } from './link-sink.ts';

/** What all sockets of an ingress share. */
export interface SocketContext extends LinkOptions {
  readonly maxStreams: number;
  readonly links: Set<ServerConnection>;
  readonly rates: RateLimits;
  readonly accounts: AccountChecks;
  readonly onError: (error: unknown) => void;
}

const NO_GREETING = 1008;

/** The maximum message size for a client that has not authenticated, and for a viewer, which may send only keep-alives: 64 KiB. */
export const MAX_BYTES_OF_NOBODY: number = 64 * 1024;

/** The handlers of a link after it has begun. */
export interface Serving {
  readonly sink: LinkSink;
  readonly inbox: Inbox;
  /** Returns the maximum size of the next message from this account or worker, in bytes. */
  readonly maxMessageBytes: () => number;
}

/** The limits and the byte count of a served socket. */
export interface ServedSocket {
  /**
   * The maximum size of the next message, in bytes. If more bytes have arrived without completing a message, the reader of the connection closes it.
   */
  readonly maxMessageBytes: number;
  /** Counts bytes that have arrived over the connection. If the bytes exceed the rate, the connection is paused. */
  received(bytes: number): void;
}

/** What differs between links of viewers and links of workers. */
export interface ServedLink extends Pick<ServerConnectionEvents, 'authenticate' | 'onDelivered' | 'place'> {
  /** The greeting that arrived with the upgrade. */
  readonly greeting: string | undefined;
  /** Begins to serve a link. If the link is refused, closes it and returns undefined. */
  begin(link: ServerConnection, beginning: Parameters<ServerConnectionEvents['onBegin']>[0]): Serving | undefined;
}

/** Serves a socket from the time it opens until it closes. */
export function serveLink(
  socket: SocketLike,
  context: SocketContext,
  { begin, greeting, ...events }: ServedLink,
): ServedSocket {
  let serving: Serving | undefined;
  const link = createServerConnection(
    socket,
    {
      ...events,
      onBegin(beginning) {
        const { stream } = beginning;
        // The name of the stream is stored with each of its messages, so it is limited like an id.
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
    { ...context, greeting },
  );
  context.links.add(link);
  return {
    get maxMessageBytes() {
      return serving?.maxMessageBytes() ?? MAX_BYTES_OF_NOBODY;
    },
    received: (bytes) => serving?.inbox.received(bytes),
  };
}
