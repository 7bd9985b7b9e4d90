import { type Clock, systemClock } from '../async/deadline.ts';
import type { TransportError } from '../error.ts';
import { parseNumberedCursor } from '../network/numbered-cursor.ts';
import { createReplayBuffer, type ReplayBuffer } from '../queues/replay-buffer.ts';
import type { Resumption, Unacknowledged } from '../transport-extensions.ts';
import type { Batch, Incoming, TransportControl } from '../transport.ts';
import { createConditionWaits } from './condition-waits.ts';
import type {
  Codec,
  Connection,
  ConnectionEvents,
  ConnectionOptions,
  Link,
  ResumableConnection,
} from './connection-parts.ts';
import { createNumberedStreams, type NumberedStreams, type StreamGreeting } from './numbered-streams.ts';

const DEFAULT_MAX_BUFFERED_BYTES = 1024 * 1024;

/**
 * Creates a connection without a link. Return it to `defineTransport` as the driver. With `retains: false`, the connection ends with its first link,
 * and keeps messages only if that link acknowledges them.
 */
export function createConnection<End = unknown>(
  control: TransportControl,
  events: ConnectionEvents<End>,
  options?: ConnectionOptions & { readonly retains?: true },
): ResumableConnection<End>;
/** Creates a connection without a link. The connection may end with its first link (`retains: false`), so it may lack the extensions. */
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
    return this.#isReplayable ? this.streams.resumption : undefined;
  }

  get unacknowledged(): Unacknowledged | undefined {
    if (!this.#isReplayable) return undefined;
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
    // The link must be read until the greeting of the other side has arrived.
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
    // The other side may refer to the stream of an earlier process, whose numbers belong to other messages.
    if (greeting.of === this.streams.ownName) this.onAcknowledged(greeting.ack);
    this.onReady(resumed);
    if (this.isUp && this.streams.ownEnd !== undefined) this.#codec?.sendEnd?.();
  }

  onReady(resumed: boolean): void {
    if (this.isReleased) return;
    this.isUp = true;
    // Messages from earlier links are sent before messages that `onUp` lets the caller send.
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

  get #isReplayable(): boolean {
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
    if (!this.#isReplayable) this.replay.acknowledge(this.replay.last);
    const { maxBufferedBytes = DEFAULT_MAX_BUFFERED_BYTES } = this.#options;
    return this.#waits.until(() => this.bufferedBytes <= maxBufferedBytes);
  }

  /** Closes the link as soon as the other side has received everything, as far as this side can know. */
  async #closeGracefully(): Promise<void> {
    const isLeft = () => this.bufferedBytes === 0 && (this.#link?.isAcknowledged !== true || this.replay.bytes === 0);
    await this.#waits.until(() => !this.isUp || isLeft());
    if (this.isReleased) return;
    if (this.isUp) this.#link?.close();
    else if (this.replay.bytes === 0 || !this.wasEverUp) this.release();
  }
}
