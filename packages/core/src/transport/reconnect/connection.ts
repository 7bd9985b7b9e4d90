import { type Clock, systemClock } from '../async/deadline.ts';
import type { TransportError } from '../error.ts';
import { parseNumberedCursor } from '../network/numbered-cursor.ts';
import { createReplayBuffer, type ReplayBuffer } from '../queues/replay-buffer.ts';
import type { ResumableTransport, Resumption, Retained, RetainingTransport } from '../transport-extensions.ts';
import type { Batch, Incoming, TransportControl, TransportDriver } from '../transport.ts';
import { createConditionWaits } from './condition-waits.ts';
import type { Codec, ConnectionEvents, ConnectionOptions, Link } from './connection-parts.ts';
import { createNumberedStreams, type NumberedStreams, type StreamGreeting } from './numbered-streams.ts';

/** The default of `maxBufferedBytes`: 1 MiB. */
const DEFAULT_MAX_BUFFERED_BYTES = 1024 * 1024;

/**
 * The messages of a session over one link after the other: the driver of a transport that resumes. It keeps what was sent and may have to be sent
 * again on the next link, waits for room, and ends in order. Its owner opens the links, and decides what the end of a link means.
 *
 * `attach` takes a new link, with its codec or before it. The codec reports what arrives by `onGreeting`, `onItems`,
 * `onAcknowledged` and `onPeerEnd`, and the link reports its end by `onEnd`.
 */
export interface Connection<End = unknown> extends TransportDriver {
  readonly clock: Clock;
  /** What was sent and is not acknowledged. */
  readonly replay: ReplayBuffer;
  /** The numbers of both directions. Created at the first use. */
  readonly streams: NumberedStreams;
  /** Whether messages can be sent now. */
  readonly isUp: boolean;
  readonly wasEverUp: boolean;
  readonly isReleased: boolean;
  /** Whether nothing was received and no link was up before, also by an earlier process. */
  readonly isFresh: boolean;
  /** The extension of a transport; undefined if nothing is kept for another link. */
  readonly resumption: Resumption | undefined;
  /** The extension of a transport; undefined if nothing is kept for another link. */
  readonly retained: Retained | undefined;
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
  Pick<RetainingTransport, 'retained'>;

/**
 * Creates a connection without a link. It is the driver to return to `defineTransport`. With `retains: false` it ends with its first link, and
 * keeps messages only while that link acknowledges them.
 */
export function createConnection<End = unknown>(
  control: TransportControl,
  events: ConnectionEvents<End>,
  options?: ConnectionOptions & { readonly retains?: true },
): ResumableConnection<End>;
export function createConnection<End = unknown>(
  control: TransportControl,
  events: ConnectionEvents<End>,
  options: ConnectionOptions,
): Connection<End>;
export function createConnection<End>(
  control: TransportControl,
  events: ConnectionEvents<End>,
  options: ConnectionOptions = {},
): Connection<End> {
  return new LinkedDriver(control, events, options);
}

class LinkedDriver<End> implements Connection<End> {
  readonly clock: Clock;
  readonly replay: ReplayBuffer;
  isUp = false;
  isReleased = false;
  wasEverUp = false;
  isFresh: boolean;
  readonly #control: TransportControl;
  readonly #events: ConnectionEvents<End>;
  readonly #options: ConnectionOptions;
  readonly #waits = createConditionWaits(this);
  #isClosing = false;
  #streams: NumberedStreams | undefined;
  #link: Link | undefined;
  #codec: Codec<End> | undefined;
  #isPaused = false;
  #onReleased: (() => void) | undefined;

  constructor(control: TransportControl, events: ConnectionEvents<End>, options: ConnectionOptions) {
    this.clock = options.clock ?? systemClock;
    this.replay = createReplayBuffer({ maxBytes: options.maxReplayBytes });
    this.#control = control;
    this.#events = events;
    this.#options = options;
    this.isFresh = parseNumberedCursor(options.cursor)[0] === 0;
  }

  get streams(): NumberedStreams {
    return (this.#streams ??= createNumberedStreams(this.#options.cursor));
  }

  get resumption(): Resumption | undefined {
    return this.#isRetaining ? this.streams.resumption : undefined;
  }

  get retained(): Retained | undefined {
    if (!this.#isRetaining) return undefined;
    return { batches: () => this.replay.unacknowledged().map(({ batch }) => batch) };
  }

  get greeting(): StreamGreeting {
    return this.streams.greeting(this.replay.acknowledged + 1);
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
    this.streams.ownEnd = this.replay.last;
    if (this.isUp) this.#codec?.sendEnd?.();
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
    // Until the other side has greeted, the link is read.
    if (this.isUp) this.#link?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#link?.resume();
  }

  attach(link: Link, codec?: Codec<End>): void {
    this.detach()?.drop();
    this.#link = link;
    if (codec !== undefined) this.onOpen(codec);
  }

  detach(): Link | undefined {
    const link = this.#link;
    this.#leave();
    return link;
  }

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

  onOpen(codec: Codec<End>): void {
    this.#codec = codec;
    codec.start();
  }

  onEnd(link: Link, end: End, isDone = false): void {
    if (this.#link !== link) return;
    const wasUp = this.isUp;
    this.#leave(end);
    if (this.isReleased) return this.#onReleased?.();
    if (this.#isClosing && (isDone || this.replay.bytes === 0)) return this.release();
    this.#events.onDown(end, wasUp);
    this.#waits.check();
  }

  onGreeting(greeting: StreamGreeting, isFresh: boolean = this.isFresh): void {
    const resumed = this.streams.onGreeting(greeting, isFresh);
    // The other side may speak of the stream of an earlier process, whose numbers mean other messages.
    if (greeting.of === this.streams.ownName) this.onAcknowledged(greeting.ack);
    this.onReady(resumed);
    if (this.isUp && this.streams.ownEnd !== undefined) this.#codec?.sendEnd?.();
  }

  onReady(resumed: boolean): void {
    if (this.isReleased) return;
    this.isUp = true;
    // Messages of earlier links go before those that `onUp` lets the caller send.
    for (const entry of this.replay.unacknowledged()) this.#codec?.send(entry);
    this.wasEverUp = true;
    this.isFresh = false;
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
    if (!Number.isSafeInteger(sequence) || sequence > this.replay.last) return;
    const before = this.replay.acknowledged;
    this.replay.acknowledge(sequence);
    this.#waits.check();
    if (this.replay.acknowledged > before) this.#events.onProgress?.();
  }

  get #isRetaining(): boolean {
    return this.#options.retains !== false || this.#link?.isAcknowledged === true;
  }

  #leave(end?: End): void {
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
    const isLeft = () => this.bufferedBytes === 0 && (this.#link?.isAcknowledged !== true || this.replay.bytes === 0);
    await this.#waits.until(() => !this.isUp || isLeft());
    if (this.isReleased) return;
    if (this.isUp) this.#link?.close();
    else if (this.replay.bytes === 0 || !this.wasEverUp) this.release();
  }
}
