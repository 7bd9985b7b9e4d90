import type { Party } from '@proto/testkit/steps';

import type { SocketReading, StreamReading } from '../observed.ts';

export interface Closing {
  /** The close code of a WebSocket; 1006 if no code was sent. Absent for an event stream. */
  readonly code?: number;
  readonly clean: boolean;
}

export interface LinkParty extends Party {
  readonly session: string;
  readonly reading: StreamReading | SocketReading;
  /** The number of the last event that has arrived. */
  readonly cursor: number;
  /** Resolves no matter which side ended the link. */
  readonly closed: Promise<Closing>;
  close(): void;
  /** Stops reading until `resume` is called, like a client that is busy for a time. */
  pause(): void;
  resume(): void;
  /** Resolves with the pong. Exists only for WebSockets. */
  ping?(): Promise<void>;
  /** Answers the server's first unanswered ping. Exists only for WebSockets that hold their pongs. */
  pong?(): void;
}
