import type { Line } from '@proto/core/framing';
import { type Heartbeat, retryAfterMs, startHeartbeat, systemClock } from '@proto/core/network';
import type { Clock, Link } from '@proto/core/reconnect';
import { createFrameDecoder, type FrameDecoder, type FrameDecoderOptions } from './frame-decoder.ts';
import { OPEN, RESUMABLE_PROTOCOL, type SocketLike } from './socket.ts';

export interface LinkEnd {
  /** The close code. 1006 if no code was received, because the connection broke or was not established. */
  readonly code: number;
  /** The HTTP status, if the upgrade was answered with one. */
  readonly status?: number | undefined;
  /** The delay that the server requests in `Retry-After`, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** True if this side ended the link because nothing arrived. */
  readonly silent?: boolean;
  readonly cause?: unknown;
}

/** The callbacks of a link. `onOpen` is called once, before all others, and `onEnd` once, after all others. */
export interface LinkEvents {
  onOpen(link: SocketLink): void;
  onLines(link: SocketLink, lines: readonly Line[]): void;
  /** Called when the other side has received everything that was sent before the ping with this mark. The mark 0 does not refer to messages. */
  onDelivered(mark: number): void;
  onEnd(link: SocketLink, end: LinkEnd): void;
  /** Called at each beat. Returns the number whose arrival a ping should prove. */
  onBeat(): number;
}

/** The limits of a link. */
export interface LinkOptions {
  /** How long a link may be silent before it counts as lost, in milliseconds. Default 45 000. 0 turns off this limit and the pings. */
  readonly silenceMs?: number | undefined;
  /** The maximum length of a received line, in bytes. Default 64 MiB, `DEFAULT_MAX_LINE_BYTES` of `@proto/core/framing`. */
  readonly maxLineBytes?: number | undefined;
  /** How many lines a frame may contain. If a frame contains more lines, the link is closed with 1008. Default 100 000. */
  readonly maxFrameLines?: number | undefined;
  /** The clock and the timers. Default: the clock and timers of this machine. */
  readonly clock?: Clock | undefined;
}

/** A refusal of the upgrade, as reported by `ws`. */
interface UnexpectedResponse {
  readonly statusCode?: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const UNKNOWN: Omit<LinkEnd, 'code'> = {};
const CLOSE_TOO_MANY_LINES = 1008;

/** Every frame, and every answer to a ping, shows that the link is alive. */
export class SocketLink implements Link {
  readonly socket: SocketLike;
  /** Whether the other side sends plain lines, whatever subprotocol it chose. */
  isPlain = false;
  readonly #events: LinkEvents;
  readonly #clock: Clock;
  readonly #decoder: FrameDecoder;
  readonly #options: LinkOptions;
  /** Undefined until the socket is open. */
  #heartbeat: Heartbeat | undefined;
  isPaused = false;
  #opened = false;
  #ended = false;
  /** Whether frames are ignored, because the link is being closed due to an earlier frame. */
  #isRefused = false;
  #knownEnd: Omit<LinkEnd, 'code'> = UNKNOWN;

  constructor(socket: SocketLike, events: LinkEvents, options: LinkOptions) {
    this.socket = socket;
    this.#events = events;
    this.#clock = options.clock ?? systemClock;
    this.#options = options;
    this.#decoder = createFrameDecoder(options as FrameDecoderOptions);
    socket.binaryType = 'arraybuffer';
    if (socket.onFrame !== undefined) socket.onFrame((frame) => this.#onFrame(frame));
    else socket.addEventListener('message', ({ data }) => this.#onFrame(data));
    // Without a listener, an `error` event would end a Node process.
    socket.addEventListener('error', ({ error: cause }) => this.#onError(cause));
    socket.addEventListener('close', ({ code }) => this.#onEnd(code ?? 1006));
    socket.on?.('ping', () => this.#heartbeat?.onReceived());
    socket.on?.('pong', (mark: unknown) => this.#onPong(mark));
    // An accepted socket is already open, and a listener would permanently take 300 bytes. The call is delayed by a microtask, until the owner is
    // constructed.
    if (socket.readyState === OPEN) queueMicrotask(() => this.#onOpen());
    else {
      socket.addEventListener('open', () => this.#onOpen());
      socket.on?.('unexpected-response', (_: unknown, response: UnexpectedResponse) => this.#onResponse(response));
    }
  }

  /** Whether the link speaks `sjp.v1`, whose messages are acknowledged. */
  get isAcknowledged(): boolean {
    return !this.isPlain && this.socket.protocol === RESUMABLE_PROTOCOL;
  }

  /** Whether answers to pings prove which messages have arrived. */
  get canProve(): boolean {
    return this.socket.ping !== undefined && this.socket.on !== undefined;
  }

  get bufferedBytes(): number {
    return this.socket.bufferedAmount;
  }

  /** If the socket is no longer open, the frame is left for the next link. */
  send(text: string): void {
    if (this.socket.readyState === OPEN) this.socket.send(text);
  }

  /** Sends each line as a frame, and all frames in one write if the socket supports it. */
  sendLines(text: string): void {
    this.socket.cork?.();
    try {
      // Slices of the text already include the line ends, whereas the messages of the batch would have to be copied to add them.
      for (let at = 0, end = 0; (end = text.indexOf('\n', at) + 1) > 0; at = end) this.send(text.slice(at, end));
    } finally {
      this.socket.uncork?.();
    }
  }

  /** The answer repeats the mark. A ping with the mark 0 has no data, so it takes one write of the socket instead of two. */
  ping(mark: number): void {
    if (!this.canProve || this.socket.readyState !== OPEN) return;
    if (mark === 0) this.socket.ping?.();
    else this.socket.ping?.(String(mark));
  }

  /** `onEnd` is called when the other side has answered. Never throws, even while connecting. */
  close(code = 1000): void {
    try {
      this.socket.close(code);
    } catch {
      this.drop();
    }
  }

  /** A socket that cannot break its connection is closed, and its events are ignored from then on. */
  drop(): void {
    if (this.socket.terminate !== undefined) return this.socket.terminate();
    try {
      this.socket.close();
    } catch (error) {
      this.#knownEnd = { cause: error, ...this.#knownEnd };
    }
    this.#onEnd(1006);
  }

  /** Stops all callbacks from now on. */
  forget(): void {
    this.#ended = true;
    this.#heartbeat?.stop();
  }

  /** Stops reading, if the socket supports it. */
  pause(): void {
    this.isPaused = true;
    if (this.socket.readyState === OPEN) this.socket.pause?.();
  }

  resume(): void {
    this.isPaused = false;
    this.#heartbeat?.onReceived();
    if (this.socket.readyState === OPEN) this.socket.resume?.();
  }

  /** False while this side does not read or cannot request an answer: some servers send nothing on an idle link unless they receive a ping. */
  get countsSilence(): boolean {
    return !this.isPaused && (this.canProve || this.isAcknowledged);
  }

  onBeat(): void {
    this.ping(this.#events.onBeat());
  }

  onSilence(): void {
    this.#knownEnd = { ...this.#knownEnd, silent: true };
    this.drop();
  }

  #onOpen(): void {
    if (this.#ended || this.#opened) return;
    this.#opened = true;
    if (this.#options.silenceMs !== 0) this.#heartbeat = startHeartbeat(this, this.#options);
    this.#events.onOpen(this);
  }

  #onResponse({ statusCode: status, headers }: UnexpectedResponse): void {
    this.#knownEnd = {
      ...this.#knownEnd,
      status,
      retryAfterMs: retryAfterMs(headers['retry-after'], this.#clock.now()),
    };
    this.drop();
  }

  #onFrame(data: unknown): void {
    // An accepted socket may deliver a frame before it reports that it is open.
    this.#onOpen();
    if (this.#ended) return;
    this.#heartbeat?.onReceived();
    if (typeof data !== 'string' && !(data instanceof ArrayBuffer || data instanceof Uint8Array)) return;
    if (this.#isRefused) return;
    const lines = this.#decoder.push(data);
    if (lines === undefined) {
      this.#isRefused = true;
      this.close(CLOSE_TOO_MANY_LINES);
    } else if (lines.length > 0) this.#events.onLines(this, lines);
  }

  /** A `close` event follows, except in Node 22: its own `WebSocket` reports nothing more if the connection is reset while it opens. */
  #onError(cause: unknown): void {
    this.#knownEnd = { cause, ...this.#knownEnd };
    if (this.socket.on === undefined) this.#clock.setTimeout(() => this.#ended || this.drop(), 0);
  }

  #onPong(mark: unknown): void {
    if (this.#ended) return;
    this.#heartbeat?.onReceived();
    const proved = Number(String(mark));
    if (Number.isSafeInteger(proved)) this.#events.onDelivered(proved);
  }

  #onEnd(code: number): void {
    if (this.#ended) return;
    this.forget();
    this.#events.onEnd(this, { code, ...this.#knownEnd });
  }
}
