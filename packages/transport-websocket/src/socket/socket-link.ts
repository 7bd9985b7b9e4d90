import type { Line } from '@proto/core/framing';
import { type Clock, retryAfterMs, systemClock } from '@proto/core/internal';
import { createFrameDecoder, type FrameDecoder, type FrameDecoderOptions } from './frame-decoder.ts';
import { OPEN, RESUMABLE_PROTOCOL, type SocketLike } from './socket.ts';

/** How long a link may be silent before it counts as gone: 45 seconds. The other side is asked three times in that time. */
export const DEFAULT_SILENCE_MS = 45_000;

/** How a link ended. */
export interface LinkEnd {
  /** The close code; 1006 when there was none because the connection broke or never came up. */
  readonly code: number;
  /** The HTTP status, when the upgrade was answered with one. */
  readonly status?: number | undefined;
  /** How long the server asks to be left alone. */
  readonly retryAfterMs?: number | undefined;
  /** True when this side gave up because nothing was heard. */
  readonly silent?: boolean;
  readonly cause?: unknown;
}

/** Whom a link tells. `onOpen` comes once and first, `onEnd` once and last. */
export interface LinkEvents {
  onOpen(link: SocketLink): void;
  onLines(lines: readonly Line[]): void;
  /** The other side has everything that was sent before the ping that had this mark; 0 says nothing of messages. */
  onProof(mark: number): void;
  onEnd(end: LinkEnd): void;
  /** Called each time the other side is looked after; gives what a ping is to prove. */
  onBeat(): number;
}

/** What a link is made with. */
export interface LinkOptions {
  /** Default `DEFAULT_SILENCE_MS`; 0 for neither looking nor keeping alive. */
  readonly silenceMs?: number | undefined;
  /** The longest line taken, in bytes. Default `DEFAULT_MAX_LINE_BYTES` of `@proto/core/framing`. */
  readonly maxLineBytes?: number | undefined;
  /** How many lines a frame may have; a link with a longer one is closed with 1008. Default `DEFAULT_MAX_FRAME_LINES`. */
  readonly maxFrameLines?: number | undefined;
  /** Default: the time of this machine. */
  readonly clock?: Clock | undefined;
}

/** What the other side did is against the rules. */
const TOO_MANY_LINES = 1008;
/** Of the time of silence, so many beats. */
const BEATS = 3;

/**
 * One socket, from its making to its end. It listens for signs of life: any frame, and where the socket can ping, the answers. It
 * counts its own beats, not the time: while this process sleeps or is busy nobody can be heard, and whoever has slept asks first.
 */
export class SocketLink {
  readonly socket: SocketLike;
  /** Whether the other side speaks plain lines, whatever subprotocol it chose. */
  isPlain = false;
  readonly #events: LinkEvents;
  readonly #clock: Clock;
  readonly #decoder: FrameDecoder;
  readonly #beatMs: number;
  #timer: unknown;
  #beatAt = 0;
  #heard = true;
  #unheard = 0;
  #paused = false;
  #opened = false;
  #ended = false;
  /** Whether what comes is not taken any more. */
  #isRefused = false;
  /** What is known of it before it has come. */
  #end: Omit<LinkEnd, 'code'> = {};

  constructor(socket: SocketLike, events: LinkEvents, options: LinkOptions) {
    this.socket = socket;
    this.#events = events;
    const { clock = systemClock, silenceMs = DEFAULT_SILENCE_MS } = options;
    this.#clock = clock;
    this.#decoder = createFrameDecoder(options as FrameDecoderOptions);
    this.#beatMs = silenceMs / BEATS;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', () => this.#onOpen());
    if (socket.onFrame !== undefined) socket.onFrame((frame) => this.#onFrame(frame));
    else socket.addEventListener('message', ({ data }) => this.#onFrame(data));
    // It is always followed by a close. Without a listener the one of Node would end the process.
    socket.addEventListener('error', ({ error: cause }) => (this.#end = { cause, ...this.#end }));
    socket.addEventListener('close', ({ code }) => this.#onEnd(code ?? 1006));
    socket.on?.('ping', () => (this.#heard = true));
    socket.on?.('pong', (mark: unknown) => this.#onPong(mark));
    socket.on?.('unexpected-response', (_: unknown, response: { statusCode?: number; headers: object }) => {
      const { 'retry-after': asked } = response.headers as Readonly<Record<string, string | undefined>>;
      const waitMs = retryAfterMs(asked, this.#clock.now());
      this.#end = { ...this.#end, status: response.statusCode, retryAfterMs: waitMs };
      this.drop();
    });
    // One that was accepted is open already; later, so that nobody is told while it is being made.
    if (socket.readyState === OPEN) queueMicrotask(() => this.#onOpen());
  }

  get isResumable(): boolean {
    return !this.isPlain && this.socket.protocol === RESUMABLE_PROTOCOL;
  }

  /** Whether answers to pings prove what has arrived. */
  get canProve(): boolean {
    return this.socket.ping !== undefined && this.socket.on !== undefined;
  }

  get bufferedBytes(): number {
    return this.socket.bufferedAmount;
  }

  /** Sends a frame, if the socket is still open. What it does not take is for the next link. */
  send(text: string): void {
    if (this.socket.readyState === OPEN) this.socket.send(text);
  }

  /** Sends each line as a frame; all leave in one write, where the socket can do that. */
  sendLines(text: string): void {
    this.socket.cork?.();
    try {
      // Slices, line ends and all: messages of the batch would be copied to get their line ends back.
      for (let at = 0, end = 0; (end = text.indexOf('\n', at) + 1) > 0; at = end) this.send(text.slice(at, end));
    } finally {
      this.socket.uncork?.();
    }
  }

  ping(mark: number): void {
    if (this.canProve && this.socket.readyState === OPEN) this.socket.ping?.(String(mark));
  }

  /** Says goodbye; `onEnd` comes when the other side has answered. Never throws, also while connecting. */
  close(code: number): void {
    try {
      this.socket.close(code);
    } catch {
      this.drop();
    }
  }

  /** Breaks it off. Where sockets cannot, it is left to close as it likes and nobody listens. */
  drop(): void {
    if (this.socket.terminate !== undefined) return this.socket.terminate();
    try {
      this.socket.close();
    } catch (error) {
      this.#end = { cause: error, ...this.#end };
    }
    this.#onEnd(1006);
  }

  /** Tells nobody anything from now on. */
  forget(): void {
    this.#ended = true;
    this.#clock.clearTimeout(this.#timer);
  }

  /** Stops reading, where the socket can. */
  pause(): void {
    this.#paused = true;
    if (this.socket.readyState === OPEN) this.socket.pause?.();
  }

  resume(): void {
    this.#paused = false;
    this.#heard = true;
    if (this.socket.readyState === OPEN) this.socket.resume?.();
  }

  #onOpen(): void {
    if (this.#ended || this.#opened) return;
    this.#opened = true;
    this.#beatAt = this.#clock.now();
    if (this.#beatMs > 0) this.#schedule();
    this.#events.onOpen(this);
  }

  #onFrame(data: unknown): void {
    // What was accepted may speak before this side was told.
    this.#onOpen();
    if (this.#ended) return;
    this.#heard = true;
    if (typeof data !== 'string' && !(data instanceof ArrayBuffer || data instanceof Uint8Array)) return;
    if (this.#isRefused) return;
    const lines = this.#decoder.push(data);
    if (lines === undefined) {
      this.#isRefused = true;
      this.close(TOO_MANY_LINES);
    } else if (lines.length > 0) this.#events.onLines(lines);
  }

  #onPong(mark: unknown): void {
    if (this.#ended) return;
    this.#heard = true;
    const proved = Number(String(mark));
    if (Number.isSafeInteger(proved)) this.#events.onProof(proved);
  }

  #schedule(): void {
    this.#timer = this.#clock.setTimeout(() => this.#beat(), this.#beatMs);
  }

  #beat(): void {
    const now = this.#clock.now();
    const slept = now - this.#beatAt > 2 * this.#beatMs;
    this.#beatAt = now;
    // Nothing can be heard of one that is not read.
    if (this.#heard || this.#paused) this.#unheard = 0;
    else this.#unheard = slept ? 1 : this.#unheard + 1;
    this.#heard = false;
    // Some servers never say anything unasked, and nobody can ask them without a ping.
    if (this.#unheard >= BEATS && (this.canProve || this.isResumable)) {
      this.#end = { ...this.#end, silent: true };
      return this.drop();
    }
    this.#schedule();
    this.ping(this.#events.onBeat());
  }

  #onEnd(code: number): void {
    if (this.#ended) return;
    this.forget();
    this.#events.onEnd({ code, ...this.#end });
  }
}
