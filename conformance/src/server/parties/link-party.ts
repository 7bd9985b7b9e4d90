import type { Party } from '@proto/testkit/steps';

import type { SocketReading, StreamReading } from '../observed.ts';

/** How a link has ended. */
export interface Closing {
  /** The close code of a WebSocket; 1006 if there was none. Absent for an event stream. */
  readonly code?: number;
  /** Whether the end was an orderly one. */
  readonly clean: boolean;
}

/** A reader of a session over an event stream or a WebSocket. */
export interface LinkParty extends Party {
  readonly session: string;
  readonly reading: StreamReading | SocketReading;
  /** The number of the last event that has arrived. */
  readonly cursor: number;
  /** Resolves when the link has ended, whoever has ended it. */
  readonly closed: Promise<Closing>;
  /** Ends the link from this side, as a client that leaves. */
  close(): void;
  /** Stops and starts reading, as a client that is busy. */
  pause(): void;
  resume(): void;
  /** Sends a ping, and resolves with the pong. WebSockets only. */
  ping?(): Promise<void>;
  /** Answers the first ping of the server that has no answer. WebSockets whose pongs are held only. */
  pong?(): void;
}
