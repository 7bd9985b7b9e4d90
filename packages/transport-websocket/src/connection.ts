import type { Line } from '@proto/core/framing';
import type { Clock } from '@proto/core/reconnect';
import {
  createConditionWaits,
  createNumberedStreams,
  createReplayBuffer,
  type NumberedStreams,
  parseNumberedCursor,
  type ReplayBuffer,
  systemClock,
} from '@proto/core/network';
import {
  type Batch,
  type Cursor,
  type Incoming,
  type ResumableTransport,
  type RetainingTransport,
  type TransportControl,
  type TransportDriver,
  TransportError,
} from '@proto/core/transport';
import type { Codec, CodecEvents } from './codec/codec.ts';
import { greetingLine } from './codec/numbered-lines.ts';
import { PlainCodec } from './codec/plain-codec.ts';
import { ResumableCodec } from './codec/resumable-codec.ts';
import {
  type AttachOptions,
  type ConnectionBeginning,
  type ConnectionEvents,
  type ConnectionOptions,
  DEFAULT_FAIL_ABOVE_BYTES,
  DEFAULT_MAX_BUFFERED_BYTES,
} from './connection-options.ts';
import { type LinkEnd, type LinkEvents, SocketLink } from './socket/socket-link.ts';
import type { SocketLike } from './socket/socket.ts';

/** A connection that keeps what it sent for another link. */
export interface RetainingConnection extends Connection {
  readonly resumption: ResumableTransport['resumption'];
  readonly retained: RetainingTransport['retained'];
}

const NOTHING: AttachOptions = {};
const NOT_KEPT: ConnectionBeginning = { retains: false };

/**
 * The messages of a session over one socket after the other. Frames go socket -> `SocketLink` (lines) -> `Codec` (items) -> connection
 * -> reader, and batches the same way back. The connection keeps what was sent and may have to be sent again on the next link, and
 * limits what waits; the transport above it decides where sockets come from, and what the end of a link means.
 */
export class Connection implements TransportDriver, CodecEvents, LinkEvents {
  readonly clock: Clock;
  readonly replay: ReplayBuffer;
  isUp = false;
  isReleased = false;
  wasEverUp = false;
  readonly #control: TransportControl;
  readonly #options: ConnectionOptions;
  readonly #events: ConnectionEvents;
  readonly #beginning: ConnectionBeginning;
  readonly #waits = createConditionWaits(this);
  /** Whether nothing has come in, and no link was up. */
  #isFresh: boolean;
  #isClosing = false;
  #streams: NumberedStreams | undefined;
  #link: SocketLink | undefined;
  #attached = NOTHING;
  #codec: Codec | undefined;
  #isPaused = false;
  #unreadBytes = 0;
  #onReleased: (() => void) | undefined;

  constructor(control: TransportControl, options: ConnectionOptions, events: ConnectionEvents, beginning = NOT_KEPT) {
    this.clock = options.clock ?? systemClock;
    this.replay = createReplayBuffer({ maxBytes: options.maxReplayBytes });
    this.#control = control;
    this.#options = options;
    this.#events = events;
    this.#beginning = beginning;
    this.#isFresh = parseNumberedCursor(beginning.cursor)[0] === 0;
  }

  /** Creates a connection whose messages are kept for another link. */
  static retaining(
    control: TransportControl,
    options: ConnectionOptions,
    events: ConnectionEvents,
    cursor?: Cursor,
  ): RetainingConnection {
    return new Connection(control, options, events, { retains: true, cursor }) as RetainingConnection;
  }

  get resumption(): ResumableTransport['resumption'] | undefined {
    return this.#isRetaining ? this.#numberedStreams.resumption : undefined;
  }

  get retained(): RetainingTransport['retained'] | undefined {
    if (!this.#isRetaining) return undefined;
    return { batches: () => this.replay.unacknowledged().map(({ batch }) => batch) };
  }

  /** The greeting that the next resumable link begins with, as JSON. */
  get greeting(): string {
    return greetingLine(this.#numberedStreams.greeting(this.replay.acknowledged + 1));
  }

  get bufferedBytes(): number {
    return this.#link?.bufferedBytes ?? 0;
  }

  write(batch: Batch): Promise<void> | void {
    const room = this.#waits.until(() => this.#hasRoom(batch));
    return room === undefined ? this.#write(batch) : room.then(() => this.#write(batch));
  }

  flush(): Promise<void> | void {
    return this.#waits.until(() => this.isUp && this.bufferedBytes === 0);
  }

  end(): void {
    this.#numberedStreams.ownEnd = this.replay.last;
    this.#codec?.sendEnd?.();
  }

  close(): Promise<void> {
    this.#isClosing = true;
    return this.#closeGracefully();
  }

  abort(reason: TransportError): void {
    this.release(reason);
  }

  pause(): void {
    this.#isPaused = true;
    if (this.isUp) this.#link?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#unreadBytes = 0;
    this.#link?.resume();
  }

  /** Takes a socket as the next link. */
  attach(socket: SocketLike, options = NOTHING): void {
    this.#attached = options;
    this.#link = new SocketLink(socket, this, this.#options);
  }

  /** Closes the link with a code, or breaks it without one, and ignores what it still does. Returns whether there was a link. */
  detach(code?: number): boolean {
    const link = this.#link;
    this.#leave();
    link?.forget();
    if (code === undefined) link?.drop();
    else link?.close(code);
    return link !== undefined;
  }

  /** Ends the connection, and tells the reader once no socket is held any more. */
  release(error?: TransportError, status?: number): void {
    if (this.isReleased) return;
    this.isReleased = true;
    this.#onReleased = () => this.#control.closed(error, status === undefined ? {} : { status });
    this.#codec?.onEnd?.();
    this.#events.onRelease?.();
    this.#waits.check();
    if (this.#link === undefined) this.#onReleased();
    else this.#link.drop();
  }

  onOpen(link: SocketLink): void {
    if (this.#attached.firstFrame !== undefined) link.send(this.#attached.firstFrame);
    this.#codec = this.#codecOf(link);
    this.#codec.start();
  }

  onLines(lines: readonly Line[]): void {
    if (this.isReleased) return;
    if (this.#isPaused) {
      for (const line of lines) this.#unreadBytes += typeof line === 'string' ? line.length : line.head.length;
      if (this.#unreadBytes > (this.#options.failAboveBytes ?? DEFAULT_FAIL_ABOVE_BYTES)) {
        const text = `websocket: ${this.#unreadBytes} bytes came that nobody reads`;
        return this.release(new TransportError('overflow', text));
      }
    }
    this.#codec?.onLines(lines);
  }

  onProof(mark: number): void {
    this.#codec?.onProof?.(mark);
  }

  onBeat(): number {
    if (!this.isUp) return 0;
    this.#codec?.onBeat();
    // What has arrived needs no proof.
    return this.replay.bytes === 0 ? 0 : this.replay.last;
  }

  onEnd(end: LinkEnd): void {
    const wasUp = this.isUp;
    this.#leave(end);
    if (this.isReleased) return this.#onReleased?.();
    if (this.#isClosing && (end.code === 1000 || this.replay.bytes === 0)) return this.release();
    this.#events.onDown(end, wasUp);
    this.#waits.check();
  }

  onReady(resumed: boolean): void {
    this.isUp = true;
    // Messages of earlier links go before those that `onUp` lets the caller send.
    for (const entry of this.replay.unacknowledged()) this.#codec?.send(entry);
    this.wasEverUp = true;
    this.#isFresh = false;
    this.#events.onUp(resumed);
    this.#waits.check();
    if (this.#isPaused) this.#link?.pause();
    if (this.#isClosing) void this.#closeGracefully();
  }

  onNotReady(): void {
    this.isUp = false;
  }

  onGap(): void {
    this.#events.onUp(false);
  }

  onItems(items: readonly Incoming[]): void {
    if (this.#events.onProgress !== undefined && items.some(({ kind }) => kind === 'message'))
      this.#events.onProgress();
    this.#control.receive(items);
  }

  onPeerEnd(): void {
    this.#control.ended();
  }

  onAcknowledged(sequence: number): void {
    // The number comes from the other side: a number that was never sent proves nothing.
    if (sequence > this.replay.last) return;
    const before = this.replay.acknowledged;
    this.replay.acknowledge(sequence);
    this.#waits.check();
    if (this.replay.acknowledged > before) this.#events.onProgress?.();
  }

  onDetected(codec: 'plain' | 'resumable'): void {
    this.#events.onDetected?.(codec);
  }

  get #isRetaining(): boolean {
    return this.#beginning.retains || this.#link?.isResumable === true;
  }

  get #numberedStreams(): NumberedStreams {
    return (this.#streams ??= createNumberedStreams(this.#beginning.cursor));
  }

  #codecOf(link: SocketLink): Codec {
    const plain = () => new PlainCodec(link, this, { isFresh: this.#isFresh, batchFrames: this.#options.batchFrames });
    if (!link.isResumable) return plain();
    const resumable = new ResumableCodec(link, this, this.#numberedStreams, this.#isFresh);
    return this.#attached.detectCodec?.(link, this, { resumable, plain: plain() }) ?? resumable;
  }

  #leave(end?: LinkEnd): void {
    this.#codec?.onEnd?.(end);
    this.#codec = undefined;
    this.#link = undefined;
    this.isUp = false;
  }

  #hasRoom(batch: Batch): boolean {
    this.#codec?.acknowledgeSent?.();
    return this.replay.hasRoom(batch);
  }

  #write(batch: Batch): Promise<void> | void {
    if (this.isReleased) return;
    const first = this.replay.append(batch);
    if (this.isUp) this.#codec?.send({ first, batch });
    if (!this.#isRetaining) this.replay.acknowledge(this.replay.last);
    const { maxBufferedBytes = DEFAULT_MAX_BUFFERED_BYTES } = this.#options;
    return this.#waits.until(() => this.bufferedBytes <= maxBufferedBytes);
  }

  /** Closes the link once the other side has everything, or as much as can be known of that. */
  async #closeGracefully(): Promise<void> {
    const isLeft = () => this.bufferedBytes === 0 && (this.#link?.isResumable !== true || this.replay.bytes === 0);
    await this.#waits.until(() => !this.isUp || isLeft());
    if (this.isReleased) return;
    if (this.isUp) this.#link?.close(1000);
    else if (this.replay.bytes === 0 || !this.wasEverUp) this.release();
  }
}
