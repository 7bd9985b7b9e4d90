import type { Line } from '@proto/core/framing';
import { type ConnectionEvents, createConnection, type ResumableConnection } from '@proto/core/reconnect';
import { type Cursor, type TransportControl, TransportError } from '@proto/core/transport';
import type { DetectedCodecs } from './codec/codec-detection.ts';
import type { Carried, SocketCodec } from './codec/codec.ts';
import { greetingLine } from './codec/numbered-lines.ts';
import { PlainCodec } from './codec/plain-codec.ts';
import { ResumableCodec } from './codec/resumable-codec.ts';
import { type ConnectionOptions, DEFAULT_FAIL_ABOVE_BYTES } from './connection-options.ts';
import { type LinkEnd, type LinkEvents, SocketLink } from './socket/socket-link.ts';
import type { SocketLike } from './socket/socket.ts';

export interface SocketConnectionOptions extends ConnectionOptions {
  /** Whether messages are kept for the next socket. False if the connection ends with its first socket. */
  readonly retains: boolean;
  /** The position up to which an earlier process had acknowledged messages. */
  readonly cursor?: Cursor | undefined;
}

export interface AttachOptions {
  readonly firstFrame?: string | undefined;
  /** Creates the codec if the server chose `sjp.v1` but may not know it. Default: the resumable codec. */
  readonly detectCodec?: ((link: SocketLink, connection: Carried, codecs: DetectedCodecs) => SocketCodec) | undefined;
}

const NOTHING: AttachOptions = {};

/**
 * Carries the messages of a session over a series of sockets. Received frames pass through socket -> `SocketLink` (lines) -> `SocketCodec` (items) ->
 * connection -> reader, and sent batches take the same path in reverse. The transport provides the sockets, and decides how to react to the end of a
 * link.
 */
export class SocketConnection implements LinkEvents {
  /** The driver has extensions if messages are kept for the next link. */
  readonly driver: ResumableConnection<LinkEnd>;
  readonly #options: ConnectionOptions;
  #attached = NOTHING;
  #codec: SocketCodec | undefined;
  #unreadBytes = 0;

  constructor(control: TransportControl, events: ConnectionEvents<LinkEnd>, options: SocketConnectionOptions) {
    this.#options = options;
    this.driver = createConnection(control, events, options) as ResumableConnection<LinkEnd>;
  }

  /** The greeting for the start of the next resumable link, as JSON. */
  get greeting(): string {
    return greetingLine(this.driver.greeting);
  }

  attach(socket: SocketLike, options = NOTHING): void {
    this.#attached = options;
    this.driver.attach(new SocketLink(socket, this, this.#options));
  }

  /** Breaks the link if no code is given. Ignores its later events. Returns whether there was a link. */
  detach(code?: number): boolean {
    const link = this.driver.detach() as SocketLink | undefined;
    this.#codec = undefined;
    link?.forget();
    if (code === undefined) link?.drop();
    else link?.close(code);
    return link !== undefined;
  }

  onOpen(link: SocketLink): void {
    if (this.#attached.firstFrame !== undefined) link.send(this.#attached.firstFrame);
    this.#codec = this.#codecOf(link);
    this.driver.onOpen(this.#codec);
  }

  onLines(link: SocketLink, lines: readonly Line[]): void {
    if (this.driver.isReleased) return;
    if (link.isPaused) {
      for (const line of lines) this.#unreadBytes += typeof line === 'string' ? line.length : line.head.length;
      if (this.#unreadBytes > (this.#options.failAboveBytes ?? DEFAULT_FAIL_ABOVE_BYTES)) {
        const text = `websocket: ${this.#unreadBytes} bytes are unread: read the transport, or raise failAboveBytes`;
        return this.driver.release(new TransportError('overflow', text));
      }
    } else this.#unreadBytes = 0;
    this.#codec?.onLines(lines);
  }

  onDelivered(mark: number): void {
    this.#codec?.onDelivered?.(mark);
  }

  onBeat(): number {
    const { isUp, replay } = this.driver;
    if (!isUp) return 0;
    this.#codec?.onBeat();
    // If everything has arrived, a ping need not prove anything.
    return replay.bytes === 0 ? 0 : replay.last;
  }

  onEnd(link: SocketLink, end: LinkEnd): void {
    this.#codec = undefined;
    this.driver.onEnd(link, end, end.code === 1000);
  }

  #codecOf(link: SocketLink): SocketCodec {
    const { isFresh } = this.driver;
    const plain = () => new PlainCodec(link, this.driver, { isFresh, batchFrames: this.#options.batchFrames });
    if (!link.isAcknowledged) return plain();
    const resumable = new ResumableCodec(link, this.driver, isFresh);
    return this.#attached.detectCodec?.(link, this.driver, { resumable, plain: plain() }) ?? resumable;
  }
}
