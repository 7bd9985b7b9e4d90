import type { Clock } from '../async/deadline.ts';
import type { TransportError } from '../error.ts';
import type { ReplayBuffer, ReplayEntry } from '../queues/replay-buffer.ts';
import type { ResumableTransport, Resumption, Unacknowledged, ReplayableTransport } from '../transport-extensions.ts';
import type { Cursor, Incoming, TransportDriver } from '../transport.ts';
import type { NumberedStreams, StreamGreeting } from './numbered-streams.ts';

/** One link of a connection, such as a socket. */
export interface Link {
  /** How many sent bytes have not left this process yet. */
  readonly bufferedBytes: number;
  /**
   * Whether the other side acknowledges every message. If false, the codec decides which messages count as arrived, and a close does not wait for
   * acknowledgements.
   */
  readonly isAcknowledged: boolean;
  /** Stops reading. Called only while the link is up. */
  pause(): void;
  /** Resumes reading. */
  resume(): void;
  /**
   * Ends the link properly, after everything that was sent has been transmitted. The other side then ends the session. When the link has ended,
   * `Connection.onEnd` must be called.
   */
  close(): void;
  /** Breaks the link at once. `Connection.onEnd` must be called when the link no longer holds any resources. */
  drop(): void;
}

/** Converts messages to the format of one link's medium, and reports arriving data to the connection. */
export interface Codec<End = unknown> {
  /** Sends the first data on the link, such as this side's greeting. */
  start(): void;
  /** Sends messages with their numbers. Called only while the link is up. */
  send(entry: ReplayEntry): void;
  /** Notifies the other side that no message follows the message with the number `ownEnd` of the streams. Called when the link is up. */
  sendEnd?(): void;
  /** Acknowledges the messages that must have arrived. Needed only on links whose other side cannot acknowledge messages. */
  acknowledgeSent?(): void;
  /** Called when the link is gone or no longer used. `end` is absent if this side stopped using the link. */
  onEnd?(end?: End): void;
}

/** The events that a connection reports to its owner, which opens the links. */
export interface ConnectionEvents<End = unknown> {
  /**
   * Called when messages can be sent. `resumed` is `false` if messages from the other side may be missing. May be called again while the link is up.
   */
  onUp(resumed: boolean): void;
  /** Called when the link is gone or could not be established. The connection waits for another link, or for its release. */
  onDown(end: End, wasUp: boolean): void;
  /** Called when the other side has acknowledged or sent messages. */
  onProgress?(): void;
  /** Called once, when the connection is over. */
  onRelease?(): void;
}

/** The limits of a connection, and how it begins. */
export interface ConnectionOptions {
  /** How many bytes may be kept until the other side has received them, before `send` stays pending. Default 67 108 864, which is 64 MiB. */
  readonly maxReplayBytes?: number | undefined;
  /** How many unsent bytes a link may hold before `send` stays pending. Default 1 048 576, which is 1 MiB. */
  readonly maxBufferedBytes?: number | undefined;
  /** The position up to which an earlier process had acknowledged messages. Default: the beginning of the stream. */
  readonly cursor?: Cursor | undefined;
  /** Whether messages are kept for the next link. Set to false if the connection ends with its first link. Default true. */
  readonly retains?: boolean;
  /** The clock and timers. Default: the clock and timers of this machine. */
  readonly clock?: Clock | undefined;
}

/**
 * Carries the messages of a session over a series of links, as the driver of a transport that resumes. Keeps sent messages that may have to be sent
 * again on the next link, waits for room, and ends properly. The owner of the connection opens the links, and decides how to react to the end of a
 * link.
 *
 * Pass each new link to `attach`, either with its codec or before the codec is known. The codec reports arriving data with `onGreeting`, `onItems`,
 * `onAcknowledged` and `onPeerEnd`, and the link reports its end with `onEnd`.
 */
export interface Connection<End = unknown> extends TransportDriver {
  /** The clock from the options. */
  readonly clock: Clock;
  /** The messages that were sent but are not acknowledged. */
  readonly replay: ReplayBuffer;
  /** The message numbers of both directions. Created on first use. */
  readonly streams: NumberedStreams;
  /** Whether messages can be sent now. */
  readonly isUp: boolean;
  /** Whether messages could ever be sent, on this link or on an earlier link. */
  readonly wasEverUp: boolean;
  /** Whether `release` was called. The transport may still wait for the end of its link. */
  readonly isReleased: boolean;
  /** Whether nothing was received and no link was up before, including in an earlier process. */
  readonly isFresh: boolean;
  /** The transport extension with this name. Undefined if no messages are kept for the next link. */
  readonly resumption: Resumption | undefined;
  /** The transport extension with this name. Undefined if no messages are kept for the next link. */
  readonly unacknowledged: Unacknowledged | undefined;
  /** The greeting for the next link, which the codec sends first. */
  readonly greeting: StreamGreeting;
  /**
   * Uses a link as the next link. Drops the previous link, and ignores its later events.
   *
   * @param codec The codec, if messages can already be sent over the link. Otherwise pass the codec to `onOpen` when the link has opened.
   */
  attach(link: Link, codec?: Codec<End>): void;
  /** Stops using the current link, and ignores its later events. Returns the link, which the caller must close. */
  detach(): Link | undefined;
  /** Ends the connection. The transport is closed as soon as the link is gone, with `error` if it is given. Later calls do nothing. */
  release(error?: TransportError, status?: number): void;
  /** Call this when the link has opened. Starts the codec. */
  onOpen(codec: Codec<End>): void;
  /**
   * Call this when the link is gone.
   *
   * @param isDone Whether the other side ended the link properly.
   */
  onEnd(link: Link, end: End, isDone?: boolean): void;
  /**
   * Call this when the other side's greeting has arrived. Continues with the stream that the greeting names, drops the messages that the other side
   * has received, and sends all other messages.
   *
   * @param isFresh Default: `isFresh` of the connection.
   * @throws {TransportError} `malformed` for a greeting that cannot be read
   */
  onGreeting(greeting: StreamGreeting, isFresh?: boolean): void;
  /**
   * Call this when messages can be sent on a link whose codec has no greeting. `resumed` is `false` if messages from the other side may be missing.
   */
  onReady(resumed: boolean): void;
  /** After this call, no message can be sent until `onReady` or `onGreeting` is called again. */
  onNotReady(): void;
  /** Call this when messages from the other side are missing on a link that is up. */
  onGap(): void;
  /** Call this when something has arrived. An empty list means a sign of life without a message. */
  onItems(items: readonly Incoming[]): void;
  /**
   * Call this when the other side has received everything up to this number. A number that was never sent is ignored, because the other side may send
   * anything.
   */
  onAcknowledged(sequence: number): void;
  /** Call this when the other side has sent its last message. */
  onPeerEnd(): void;
}

/** A connection that keeps its messages for the next link, so that its transport is resumable. */
export type ResumableConnection<End = unknown> = Connection<End> &
  Pick<ResumableTransport, 'resumption'> &
  Pick<ReplayableTransport, 'unacknowledged'>;
