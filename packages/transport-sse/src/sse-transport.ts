import {
  type BackoffOptions,
  type Batch,
  type Clock,
  type Cursor,
  defineTransport,
  type Incoming,
  type Resumption,
  systemClock,
  type Transport,
  type TransportControl,
  type TransportDriver,
  TransportError,
  type TransportOptions,
} from '@proto/core/transport';
import type { EventSourceMessage } from 'eventsource-parser';
import {
  DEFAULT_CONNECT_TIMEOUT_MS,
  DEFAULT_MAX_DOWN_MS,
  DEFAULT_MAX_OPENING_MS,
  followEvents,
} from './event-stream.ts';
import { PostQueue, type PostQueueOptions } from './post-queue.ts';
import { DEFAULT_MAX_EVENT_BYTES, DEFAULT_SILENCE_MS } from './read-events.ts';
import { Requests, type RequestsOptions } from './requests.ts';
import { type Notice, ViewerFrames } from './viewer-frames.ts';

/** Which session to follow, and how. */
export interface SseOptions
  extends RequestsOptions,
    BackoffOptions,
    Pick<PostQueueOptions, 'maxPostBytes' | 'postTimeoutMs'>,
    Pick<TransportOptions, 'maxIncomingBytes'> {
  /** The last event an earlier process was done with. Default: the session from its beginning. */
  readonly cursor?: Cursor;
  /** Told what the server says beside the messages, when it says it. */
  readonly onNotice?: Notice;
  /** Default `DEFAULT_SILENCE_MS`. */
  readonly silenceMs?: number;
  /** Default `DEFAULT_CONNECT_TIMEOUT_MS`. */
  readonly connectTimeoutMs?: number;
  /** Default `DEFAULT_MAX_OPENING_MS`. */
  readonly maxOpeningMs?: number;
  /** Default `DEFAULT_MAX_DOWN_MS`. */
  readonly maxDownMs?: number;
  /** Default `DEFAULT_MAX_EVENT_BYTES`. */
  readonly maxEventBytes?: number;
  /** Default: the time of this machine. */
  readonly clock?: Clock;
}

/** The host's end of a remote session: events come over a stream that is opened again and goes on where it broke, messages are posted. */
export function createSseTransport(options: SseOptions): Transport {
  return defineTransport('sse', (control) => new ViewerDriver(control, options), { ...options, identifies: true });
}

// Servers that say whether a cursor was continued say it first. Of others nothing is known when this is over.
const VERDICT_MS = 1000;

/**
 * States of the link:
 * - `down`: attempts go on
 * - `greeting`: it is up, but whether messages are missing is not known; ends with the first event, or when the time is over
 * - `up`
 */
class ViewerDriver implements TransportDriver {
  readonly resumption: Resumption;
  readonly #control: TransportControl;
  readonly #clock: Clock;
  readonly #frames: ViewerFrames;
  readonly #posts: PostQueue;
  readonly #over = new AbortController();
  readonly #followed: Promise<TransportError | undefined>;
  #link: 'down' | 'greeting' | 'up' = 'down';
  #toldDown = false;
  #attempt = 1;
  #verdictTimer: unknown;
  #items: Incoming[] = [];
  #full: Promise<void> | undefined;
  #makeRoom: () => void = () => {};

  constructor(control: TransportControl, options: SseOptions) {
    const { clock = systemClock, cursor, onNotice = () => {} } = options;
    const requests = new Requests(options, clock);
    const frames = new ViewerFrames(cursor, onNotice);
    const { signal } = this.#over;
    this.#control = control;
    this.#clock = clock;
    this.#frames = this.resumption = frames;
    this.#posts = new PostQueue({
      ...options,
      requests,
      clock,
      signal,
      onSending: (id) => frames.expectEcho(id),
      onPermanent: (error) => this.#release(error),
    });
    this.#followed = followEvents({
      ...options,
      requests,
      clock,
      signal,
      path: '/events/stream',
      cursor: () => frames.delivered,
      silenceMs: options.silenceMs ?? DEFAULT_SILENCE_MS,
      maxEventBytes: options.maxEventBytes ?? DEFAULT_MAX_EVENT_BYTES,
      connectTimeoutMs: options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS,
      maxOpeningMs: options.maxOpeningMs ?? DEFAULT_MAX_OPENING_MS,
      maxDownMs: options.maxDownMs ?? DEFAULT_MAX_DOWN_MS,
      room: () => this.#full,
      onUp: (attempt) => this.#onUp(attempt),
      onEvent: (event) => this.#onEvent(event),
      onTooLarge: () => this.#onTooLarge(),
      onPiece: () => this.#handOver(),
      onDown: (cause, attempt) => this.#onDown(cause, attempt),
    }).then(
      () => undefined,
      (error) => TransportError.from(error),
    );
    void this.#followed.then((error) => this.#release(error));
  }

  write(batch: Batch): Promise<void> {
    return this.#posts.write(batch);
  }

  close(): void {
    this.#release();
  }

  abort(): void {
    this.#release();
  }

  pause(): void {
    this.#full ??= new Promise((resolve) => {
      this.#makeRoom = resolve;
    });
  }

  resume(): void {
    this.#full = undefined;
    this.#makeRoom();
  }

  #release(error?: TransportError): void {
    if (this.#over.signal.aborted) return;
    this.#clock.clearTimeout(this.#verdictTimer);
    this.#over.abort(error ?? new TransportError('closed', 'sse: closed'));
    // Behind the link, whose timers are gone then.
    void this.#followed.then(() => this.#control.closed(error));
  }

  #onUp(attempt: number): void {
    this.#link = 'greeting';
    this.#attempt = attempt;
    this.#verdictTimer = this.#clock.setTimeout(() => {
      this.#greeted(true);
      this.#handOver();
    }, VERDICT_MS);
    this.#control.opened();
    this.#posts.wake();
  }

  #onDown(cause: TransportError, attempt: number): void {
    this.#clock.clearTimeout(this.#verdictTimer);
    // It was up, if nobody was told yet.
    this.#greeted(true);
    this.#link = 'down';
    this.#toldDown = true;
    this.#items.push({ kind: 'link', state: 'down', attempt, cause });
    this.#handOver();
  }

  #greeted(resumed: boolean): void {
    const known = this.#link !== 'greeting';
    if (this.#link === 'down' || (known && resumed)) return;
    this.#clock.clearTimeout(this.#verdictTimer);
    this.#link = 'up';
    if (this.#toldDown || !resumed) this.#items.push({ kind: 'link', state: 'up', attempt: this.#attempt, resumed });
    this.#toldDown = false;
  }

  #onEvent(event: EventSourceMessage): boolean {
    const before = this.#frames.delivered;
    const item = this.#frames.read(event);
    this.#greeted(item !== 'gap');
    if (item !== undefined && item !== 'gap') this.#items.push(item);
    return this.#frames.delivered > before;
  }

  #onTooLarge(): void {
    this.#greeted(true);
    const error = new TransportError('too-large', 'sse: an event is above maxEventBytes');
    this.#items.push({ kind: 'malformed', error, excerpt: '' });
  }

  /** Also nothing: whatever was read is a sign of life. */
  #handOver(): void {
    const items = this.#items;
    this.#items = [];
    this.#control.receive(items);
  }
}
