import type { Party } from '@proto/testkit/steps';

import type { SocketReading, StreamReading } from '../observed.ts';

/** How a link has ended. */
export interface Closing {
  /** The close code of a WebSocket; 1006 if no code was sent. Absent for an event stream. */
  readonly code?: number;
  /** Whether the link was closed in an orderly way. */
  readonly clean: boolean;
}

/** A reader of a session over an event stream or a WebSocket. */
export interface LinkParty extends Party {
  readonly session: string;
  readonly reading: StreamReading | SocketReading;
  /** The number of the last event that has arrived. */
  readonly cursor: number;
  /** Resolves when the link has ended, no matter which side ended it. */
  readonly closed: Promise<Closing>;
  /** Ends the link from this side, like a client that disconnects. */
  close(): void;
  /** Stops reading or continues to read, like a client that is busy for a time. */
  pause(): void;
  resume(): void;
  /** Sends a ping, and resolves with the pong. Exists only for WebSockets. */
  ping?(): Promise<void>;
  /** Answers the server's first unanswered ping. Exists only for WebSockets that hold their pongs. */
  pong?(): void;
}
