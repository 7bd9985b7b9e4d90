import type { Line } from '@proto/core/framing';
import { KEEP_ALIVE_LINE, type ReplayEntry } from '@proto/core/network';
import { type Batch, incomingLines } from '@proto/core/transport';
import { FRAME_LINES } from '../socket/socket.ts';
import type { SocketLink } from '../socket/socket-link.ts';
import { ACK_BYTES, type Carried, type SocketCodec } from './codec.ts';

export interface PlainCodecOptions {
  /** True if nothing was received before this link. */
  readonly isFresh: boolean;
  /** Whether one frame contains all lines of a batch. Default false: each frame contains one line. */
  readonly batchFrames: boolean | undefined;
}

/**
 * A codec for plain lines, in which each line is a message and nothing else is sent. A sent message is kept until the answer to a ping proves that it
 * has arrived. After a cut, a message may therefore be delivered twice, but is not lost.
 */
export class PlainCodec implements SocketCodec {
  readonly #link: SocketLink;
  readonly #connection: Carried;
  readonly #options: PlainCodecOptions;
  /** The highest message number for which a ping was sent. */
  #asked = 0;

  constructor(link: SocketLink, connection: Carried, options: PlainCodecOptions) {
    this.#link = link;
    this.#connection = connection;
    this.#options = options;
  }

  start(): void {
    // Plain lines have no numbers, so a missing line cannot be noticed.
    this.#connection.onReady(this.#options.isFresh);
  }

  send({ first, batch }: ReplayEntry): void {
    if (this.#options.batchFrames === true) for (const frame of framesOf(batch)) this.#link.send(frame);
    else this.#link.sendLines(batch.text);
    const { bytes, acknowledged } = this.#connection.replay;
    if (bytes < ACK_BYTES || this.#asked > acknowledged) return;
    this.#asked = first + batch.count - 1;
    this.#link.ping(this.#asked);
  }

  onLines(lines: readonly Line[]): void {
    this.#connection.onItems(incomingLines(lines));
  }

  onBeat(): void {
    // Proxies drop idle links, and this socket cannot ping.
    if (!this.#link.canProve) this.#link.send(KEEP_ALIVE_LINE);
  }

  onDelivered(mark: number): void {
    this.#connection.onAcknowledged(mark);
  }

  acknowledgeSent(): void {
    const { replay } = this.#connection;
    // Without pings nothing can be proved: messages that have left the socket count as arrived.
    if (!this.#link.canProve && this.#link.bufferedBytes === 0) replay.acknowledge(replay.last);
  }
}

function* framesOf(batch: Batch): Generator<string> {
  if (batch.count <= FRAME_LINES) return yield batch.text;
  let frame = '';
  let lines = 0;
  for (const { text } of batch.messages()) {
    frame += `${text}\n`;
    if (++lines % FRAME_LINES !== 0) continue;
    yield frame;
    frame = '';
  }
  if (frame !== '') yield frame;
}
