import type { Line } from '@proto/core/framing';
import type { Clock } from '@proto/core/reconnect';
import type { ReplayBuffer, ReplayEntry } from '@proto/core/network';
import type { Incoming } from '@proto/core/transport';
import type { LinkEnd } from '../socket/socket-link.ts';

/**
 * How messages travel over one link: what is sent becomes frames, and the lines of frames become items. A codec is made when its link
 * has opened.
 */
export interface Codec {
  /** Speaks first, if the codec has a greeting. Calls `onReady` when messages can be sent, now or later. */
  start(): void;
  /** Sends messages under their numbers. Only after `onReady`. */
  send(entry: ReplayEntry): void;
  /** Tells the other side that no message follows, if the codec has a line for that. */
  sendEnd?(): void;
  onLines(lines: readonly Line[]): void;
  /** Says something while nothing else is said. */
  onBeat(): void;
  /** The other side answered the ping with this mark. */
  onProof?(mark: number): void;
  /** Acknowledges what must have arrived, on sockets where the other side cannot prove that. */
  acknowledgeSent?(): void;
  /** The link is gone, or is used no more; `end` says how it ended. */
  onEnd?(end?: LinkEnd): void;
}

/** What a codec uses of its connection, and what it tells the connection. */
export interface CodecEvents {
  readonly clock: Clock;
  /** What was sent and is not acknowledged. */
  readonly replay: ReplayBuffer;
  /** Messages can be sent: the connection sends what is not acknowledged. `resumed` is true if no message of the other side can be missing. */
  onReady(resumed: boolean): void;
  /** No message can be sent until `onReady` is called again: the other side numbers its lines after all. */
  onNotReady(): void;
  /** Messages of the other side are missing on a link that is ready. */
  onGap(): void;
  onItems(items: readonly Incoming[]): void;
  /** The other side has sent its last message. */
  onPeerEnd(): void;
  /** The other side has everything up to this number. */
  onAcknowledged(sequence: number): void;
  /** The other side turned out to speak this codec. */
  onDetected(codec: 'plain' | 'resumable'): void;
}

/** An acknowledgement is asked for, or sent, after so many bytes, so that the other side need not keep more while the link is idle. */
export const ACK_BYTES: number = 64 * 1024;
