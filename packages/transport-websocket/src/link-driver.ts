import type { Line } from '@proto/core/framing';
import {
  type Clock,
  DEFAULT_MAX_REPLAY_BYTES,
  type ReplayBuffer,
  type Resumption,
  type Retained,
  systemClock,
} from '@proto/core/internal';
import {
  type Batch,
  createReplayBuffer,
  type Cursor,
  type TransportControl,
  type TransportDriver,
  TransportError,
} from '@proto/core/transport';
import { BareMode } from './bare-mode.ts';
import { DEFAULT_MAX_BUFFERED_BYTES, DEFAULT_FAIL_ABOVE_BYTES, type LinkDriverOptions } from './link-driver-options.ts';
import type { LinkMode, ModeHost } from './link-mode.ts';
import { placeOf } from './peer-place.ts';
import { ResumableMode } from './resumable-mode.ts';
import type { SocketLike } from './socket.ts';
import { type LinkEnd, type LinkEvents, SocketLink } from './socket-link.ts';
import { Waits } from './waits.ts';

/** The ways in which a link may be spoken over. */
export interface LinkModes {
  readonly resumable: ResumableMode;
  readonly bare: BareMode;
}

/**
 * What all WebSocket transports have in common: one link at a time, what was sent and may have to be sent again on the next, and the
 * room there is. How the sides speak is the matter of two modes.
 *
 * States of a link: `opening` -> `begun`, when it has a mode -> `up`, when that says so.
 */
export abstract class LinkDriver implements TransportDriver, ModeHost, LinkEvents {
  readonly control: TransportControl;
  readonly clock: Clock;
  readonly replay: ReplayBuffer;
  isUp = false;
  isFresh: boolean;
  over = false;
  protected leaving = false;
  protected everUp = false;
  readonly #options: LinkDriverOptions;
  readonly #maxReplayBytes: number;
  readonly #resumable: ResumableMode;
  readonly #bare: BareMode;
  readonly #waits = new Waits(this);
  #link: SocketLink | undefined;
  #mode: LinkMode | undefined;
  #paused = false;
  #unreadBytes = 0;
  #done: (() => void) | undefined;

  constructor(control: TransportControl, options: LinkDriverOptions, cursor?: Cursor) {
    const { maxReplayBytes = DEFAULT_MAX_REPLAY_BYTES, clock = systemClock } = options;
    this.isFresh = placeOf(cursor)[0] === 0;
    this.control = control;
    this.clock = clock;
    this.replay = createReplayBuffer({ maxBytes: maxReplayBytes });
    this.#options = options;
    this.#maxReplayBytes = maxReplayBytes;
    this.#resumable = new ResumableMode(this, cursor);
    this.#bare = new BareMode(this, options.batchFrames);
  }

  get resumption(): Resumption | undefined {
    return this.retains || this.#link?.isResumable === true ? this.#resumable.acknowledged : undefined;
  }

  get retained(): Retained | undefined {
    if (this.resumption === undefined) return undefined;
    return { batches: () => this.replay.unacknowledged().map(({ batch }) => batch) };
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

  /** Tells the other side that nothing follows, where the mode has a line for that. */
  end(): void {
    this.#resumable.end();
  }

  close(): Promise<void> {
    this.leaving = true;
    return this.#goodbye();
  }

  abort(reason: TransportError): void {
    this.release(reason);
  }

  pause(): void {
    this.#paused = true;
    if (this.isUp) this.#link?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#unreadBytes = 0;
    this.#link?.resume();
  }

  opened(resumed: boolean): void {
    this.isUp = true;
    // Ahead of what `onUp` lets the caller write.
    for (const entry of this.replay.unacknowledged()) this.#mode?.send(entry);
    this.everUp = true;
    this.isFresh = false;
    this.onUp(resumed);
    this.#waits.look();
    if (this.#paused) this.#link?.pause();
    if (this.leaving) void this.#goodbye();
  }

  reopen(isFresh: boolean): void {
    this.isUp = false;
    this.isFresh = isFresh;
  }

  acknowledge(sequence: number): void {
    // The number comes from outside: one that was never sent proves nothing.
    if (sequence > this.replay.last) return;
    this.replay.acknowledge(sequence);
    this.#waits.look();
  }

  /** Whether what was sent has to be kept for another link. */
  protected abstract readonly retains: boolean;

  /** How a link that has opened is spoken over; `settle` is called where that turns out to be in another way. */
  protected modeOf(
    { isResumable }: SocketLink,
    { resumable, bare }: LinkModes,
    _settle: (mode: LinkMode) => void,
  ): LinkMode {
    return isResumable ? resumable : bare;
  }

  /** Takes a socket as the next link. */
  protected attach(socket: SocketLike): void {
    this.#link = new SocketLink(socket, this, this.#options);
  }

  onOpen(link: SocketLink): void {
    const modes = { resumable: this.#resumable, bare: this.#bare };
    this.#mode = this.modeOf(link, modes, (mode) => (this.#mode = mode));
    this.#mode.onOpen(link);
  }

  onLines(lines: readonly Line[]): void {
    if (this.over) return;
    if (this.#paused) {
      for (const line of lines) this.#unreadBytes += typeof line === 'string' ? line.length : line.head.length;
      if (this.#unreadBytes > (this.#options.failAboveBytes ?? DEFAULT_FAIL_ABOVE_BYTES)) {
        const text = `websocket: ${this.#unreadBytes} bytes came that nobody reads`;
        return this.release(new TransportError('overflow', text));
      }
    }
    this.#mode?.onLines(lines);
  }

  onProof(mark: number): void {
    this.#mode?.onProof?.(mark);
  }

  onBeat(): number {
    if (this.isUp) this.#mode?.onBeat();
    // What waits for the link to be up was not sent, so that a ping proves nothing of it.
    return this.isUp ? this.replay.last : 0;
  }

  onEnd(end: LinkEnd): void {
    const wasUp = this.isUp;
    this.#leave();
    if (this.over) return this.#done?.();
    if (this.leaving && (end.code === 1000 || this.replay.bytes === 0)) return this.release();
    this.onDown(end, wasUp);
    this.#waits.look();
  }

  /** Closes the link, or without a code breaks it, and listens to it no more; gives whether there was one. */
  protected detach(code?: number): boolean {
    const link = this.#link;
    this.#leave();
    link?.forget();
    if (code === undefined) link?.drop();
    else link?.close(code);
    return link !== undefined;
  }

  /** The link is up; `resumed` when nothing can be missing. */
  abstract onUp(resumed: boolean): void;
  protected abstract onDown(end: LinkEnd, wasUp: boolean): void;

  protected release(error?: TransportError, status?: number): void {
    if (this.over) return;
    this.over = true;
    this.#done = () => this.control.closed(error, status === undefined ? {} : { status });
    this.#mode?.onEnd?.();
    this.#waits.look();
    // Closed is only what holds no socket any more.
    if (this.#link === undefined) this.#done();
    else this.#link.drop();
  }

  #leave(): void {
    this.#mode?.onEnd?.();
    this.#mode = undefined;
    this.#link = undefined;
    this.isUp = false;
  }

  #hasRoom({ text }: Batch): boolean {
    this.#mode?.look?.();
    return this.replay.bytes === 0 || this.replay.bytes + text.length <= this.#maxReplayBytes;
  }

  #write(batch: Batch): Promise<void> | void {
    if (this.over) return;
    const first = this.replay.append(batch);
    if (this.isUp) this.#mode?.send({ first, batch });
    if (this.resumption === undefined) this.replay.acknowledge(this.replay.last);
    const { maxBufferedBytes = DEFAULT_MAX_BUFFERED_BYTES } = this.#options;
    return this.#waits.until(() => this.bufferedBytes <= maxBufferedBytes);
  }

  /** Closes the link once the other side has everything, or as much of that as can be known. */
  async #goodbye(): Promise<void> {
    const isLeft = () => this.bufferedBytes === 0 && (this.#link?.isResumable !== true || this.replay.bytes === 0);
    await this.#waits.until(() => !this.isUp || isLeft());
    if (this.over) return;
    if (this.isUp) this.#link?.close(1000);
    else if (this.replay.bytes === 0 || !this.everUp) this.release();
  }
}
