import type { LogLink, LogLinkOptions } from '@proto/transport-websocket';

/** What all sockets share. */
export interface SocketContext extends LogLinkOptions {
  /** Streams of one session at a time. */
  readonly maxStreams: number;
  /** Those there are. */
  readonly links: Set<LogLink>;
  readonly onError: (error: unknown) => void;
}
