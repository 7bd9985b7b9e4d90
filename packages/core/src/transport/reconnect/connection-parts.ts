import type { Clock } from '../async/deadline.ts';
import type { TransportError } from '../error.ts';
import type { ReplayBuffer, ReplayEntry } from '../queues/replay-buffer.ts';
import type { ResumableTransport, Resumption, Unacknowledged, ReplayableTransport } from '../transport-extensions.ts';
import type { Cursor, Incoming, TransportDriver } from '../transport.ts';
import type { NumberedStreams, StreamGreeting } from './numbered-streams.ts';

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

/**
 * The messages of a session over one link after the other: the driver of a transport that resumes. It keeps what was sent and may have to be sent
 * again on the next link, waits for room, and ends in order. Its owner opens the links, and decides what the end of a link means.
 *
 * `attach` takes a new link, with its codec or before it. The codec reports what arrives by `onGreeting`, `onItems`,
 * `onAcknowledged` and `onPeerEnd`, and the link reports its end by `onEnd`.
 */
export interface Connection<End = unknown> extends TransportDriver {
  /** The clock of the options. */
  readonly clock: Clock;
  /** What was sent and is not acknowledged. */
  readonly replay: ReplayBuffer;
  /** The numbers of both directions. Created at the first use. */
  readonly streams: NumberedStreams;
  /** Whether messages can be sent now. */
  readonly isUp: boolean;
  /** Whether messages could ever be sent, on this link or an earlier one. */
  readonly wasEverUp: boolean;
  /** Whether `release` was called. The transport may still wait for the end of its link. */
  readonly isReleased: boolean;
  /** Whether nothing was received and no link was up before, also by an earlier process. */
  readonly isFresh: boolean;
  /** The extension of a transport; undefined if nothing is kept for another link. */
  readonly resumption: Resumption | undefined;
  /** The extension of a transport; undefined if nothing is kept for another link. */
  readonly unacknowledged: Unacknowledged | undefined;
  /** The greeting for the next link: what the codec sends first. */
  readonly greeting: StreamGreeting;
  /**
   * Takes a link as the next one. Drops the one before, and ignores what it still does.
   *
   * @param codec The codec of a link that can send now. Without it, `onOpen` takes the codec when the link has opened.
   */
  attach(link: Link, codec?: Codec<End>): void;
  /** Leaves the present link, and ignores what it still does. Returns it, for the caller to close. */
  detach(): Link | undefined;
  /** Ends the connection. The transport is closed when no link is held any more, without an error if none is given. Later calls do nothing. */
  release(error?: TransportError, status?: number): void;
  /** The link has opened: starts its codec. */
  onOpen(codec: Codec<End>): void;
  /**
   * The link is gone.
   *
   * @param isDone Whether the other side ended the link in order.
   */
  onEnd(link: Link, end: End, isDone?: boolean): void;
  /**
   * The other side has greeted: goes on with its stream, drops what it has, and sends the rest.
   *
   * @param isFresh Default: `isFresh` of the connection.
   * @throws {TransportError} of code `malformed` for a greeting that cannot be read
   */
  onGreeting(greeting: StreamGreeting, isFresh?: boolean): void;
  /** Messages can be sent on a link whose codec has no greeting. `resumed` is false if messages of the other side may be missing. */
  onReady(resumed: boolean): void;
  /** No message can be sent until `onReady` or `onGreeting` is called again. */
  onNotReady(): void;
  /** Messages of the other side are missing on a link that is up. */
  onGap(): void;
  /** Something has arrived. An empty list is a sign of life. */
  onItems(items: readonly Incoming[]): void;
  /** The other side has everything up to this number. A number that was never sent is ignored: the other side may send anything. */
  onAcknowledged(sequence: number): void;
  /** The other side has sent its last message. */
  onPeerEnd(): void;
}

/** A connection that keeps its messages for another link, which is what makes a transport resumable. */
export type ResumableConnection<End = unknown> = Connection<End> &
  Pick<ResumableTransport, 'resumption'> &
  Pick<ReplayableTransport, 'unacknowledged'>;
