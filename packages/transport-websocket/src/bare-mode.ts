import type { Line } from '@proto/core/framing';
import { KEEP_ALIVE_LINE, type ReplayEntry } from '@proto/core/internal';
import { type Batch, incomingLines } from '@proto/core/transport';
import { ACK_BYTES, type LinkMode, type ModeHost } from './link-mode.ts';
import { FRAME_LINES } from './socket.ts';
import type { SocketLink } from './socket-link.ts';

/**
 * Messages and nothing else, one a line. What was sent is kept until the answer to a ping proves that it arrived, so that it may come
 * twice but is not lost.
 */
export class BareMode implements LinkMode {
  readonly #host: ModeHost;
  readonly #batchFrames: boolean;
  #link!: SocketLink;
  // The number of which the other side was asked last.
  #asked = 0;

  constructor(host: ModeHost, batchFrames = false) {
    this.#host = host;
    this.#batchFrames = batchFrames;
  }

  onOpen(link: SocketLink): void {
    this.#link = link;
    this.#asked = 0;
    // Bare lines say nothing about what came before them.
    this.#host.opened(this.#host.isFresh);
  }

  onLines(lines: readonly Line[]): void {
    this.#host.control.receive(incomingLines(lines));
  }

  send({ first, batch }: ReplayEntry): void {
    if (this.#batchFrames) for (const frame of framesOf(batch)) this.#link.send(frame);
    else this.#link.sendLines(batch.text);
    const { bytes, acknowledged } = this.#host.replay;
    if (bytes < ACK_BYTES || this.#asked > acknowledged) return;
    this.#asked = first + batch.count - 1;
    this.#link.ping(this.#asked);
  }

  onProof(mark: number): void {
    this.#host.acknowledge(mark);
  }

  onBeat(): void {
    // Middle boxes would forget a link whose socket cannot ping.
    if (!this.#link.canProve) this.#link.send(KEEP_ALIVE_LINE);
  }

  look(): void {
    const { replay } = this.#host;
    // Where nothing can be proved, what has left is all that is known.
    if (!this.#link.canProve && this.#link.bufferedBytes === 0) replay.acknowledge(replay.last);
  }
}

/** The lines of a batch, as many to a frame as any server takes. */
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
