import type { Clock } from '../async/deadline.ts';
import type { ReplayEntry } from '../queues/replay-buffer.ts';
import type { Cursor } from '../transport.ts';

/** One link of a connection, such as a socket. */
export interface Link {
  /** How many bytes of what was sent have not left this process. */
  readonly bufferedBytes: number;
  /** Whether the other side acknowledges every message. If not, the codec says what counts as arrived, and a close waits for nothing more. */
  readonly isAcknowledged: boolean;
  /** Stops reading. Called only while the link is up. */
  pause(): void;
  /** Reads again. */
  resume(): void;
  /** Ends the link in order, after everything that was sent: the other side then ends the session. `Connection.onEnd` follows. */
  close(): void;
  /** Breaks the link at once. `Connection.onEnd` follows when nothing is held any more. */
  drop(): void;
}

/** How messages travel over one link: the codec turns them into what the medium sends, and reports what arrives to the connection. */
export interface Codec<End = unknown> {
  /** Speaks first, such as with the greeting of this side. */
  start(): void;
  /** Sends messages under their numbers. Called only while the link is up. */
  send(entry: ReplayEntry): void;
  /** Sends that no message follows `ownEnd` of the streams. Called when the link is up. */
  sendEnd?(): void;
  /** Acknowledges what must have arrived, on links whose other side cannot acknowledge. */
  acknowledgeSent?(): void;
  /** The link is gone, or is not used any more. Without an end this side left it. */
  onEnd?(end?: End): void;
}

/** What a connection reports to its owner, who opens the links. */
export interface ConnectionEvents<End = unknown> {
  /** Messages can be sent. `resumed` is false if messages of the other side may be missing. May be repeated on a link that is up. */
  onUp(resumed: boolean): void;
  /** The link is gone, or did not come up. The connection waits for another link, or for its release. */
  onDown(end: End, wasUp: boolean): void;
  /** The other side acknowledged messages, or sent some. */
  onProgress?(): void;
  /** The connection is over. Called once. */
  onRelease?(): void;
}

/** The limits of a connection, and how it begins. */
export interface ConnectionOptions {
  /** How many bytes are kept until the other side has them, before `send` stays pending. Default 67 108 864, which is 64 MiB. */
  readonly maxReplayBytes?: number | undefined;
  /** How many bytes a link may hold before `send` stays pending. Default 1 048 576, which is 1 MiB. */
  readonly maxBufferedBytes?: number | undefined;
  /** What an earlier process had acknowledged. Default: the beginning. */
  readonly cursor?: Cursor | undefined;
  /** Whether messages are kept for another link. False if the connection ends with its first link. Default true. */
  readonly retains?: boolean;
  /** Default: the time of this machine. */
  readonly clock?: Clock | undefined;
}
