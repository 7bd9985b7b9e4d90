import { type Clock, RetryLoop, type RetryLoopOptions } from '@proto/core/internal';
import {
  type Cursor,
  type Incoming,
  type RetryOptions,
  type TransportControl,
  TransportError,
  type TransportOptions,
} from '@proto/core/transport';
import type { EventSourceMessage } from 'eventsource-parser';
import { type EventStreamOptions, followEvents } from './event-stream.ts';
import type { PostQueueOptions } from './post-queue.ts';
import { DEFAULT_MAX_EVENT_BYTES, DEFAULT_SILENCE_MS } from './read-events.ts';
import type { RequestsOptions } from './requests.ts';
import type { SessionFrames } from './session-frames.ts';

/** Which session to follow, and how. */
export interface SseOptions
  extends RequestsOptions,
    RetryOptions,
    Pick<PostQueueOptions, 'maxPostBytes' | 'postTimeoutMs'>,
    Pick<TransportOptions, 'maxIncomingBytes'> {
  /** The last event an earlier process was done with. Default: the session from its beginning. */
  readonly cursor?: Cursor;
  /** Default `DEFAULT_SILENCE_MS`. */
  readonly silenceMs?: number;
  /** Default `DEFAULT_MAX_EVENT_BYTES`. */
  readonly maxEventBytes?: number;
  /** Default: the time of this machine. */
  readonly clock?: Clock;
}

/** What a side of a session follows it with. */
export interface EventLinkOptions
  extends SseOptions,
    Pick<RetryLoopOptions, 'since'>,
    Pick<EventStreamOptions, 'requests' | 'path' | 'meaningOf'> {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly control: Pick<TransportControl, 'receive'>;
  readonly frames: SessionFrames;
  readonly cursorParameter?: string;
  /** Whether the reader was told already that there is no link. Default false. */
  readonly isToldDown?: boolean;
  /** A link is up. */
  readonly onUp: () => void;
  /** Nothing will follow what came. */
  readonly onEnd: () => void;
}

// Servers that say whether a cursor was continued say it first. Of others nothing is known when this is over.
const VERDICT_MS = 1000;

/**
 * What comes to one side of a session, over link after link. States of the link:
 * - `down`: attempts go on
 * - `greeting`: it is up, but whether messages are missing is not known; ends with the first event, or when the time is over
 * - `up`
 */
export class EventLink {
  /** Fulfils when no link will follow, with the reason unless the session was read to its end. */
  readonly over: Promise<TransportError | undefined>;
  readonly #options: EventLinkOptions;
  #link: 'down' | 'greeting' | 'up' = 'down';
  #toldDown: boolean;
  #attempt = 1;
  #verdictTimer: unknown;
  #items: Incoming[] = [];
  #full: Promise<void> | undefined;
  #makeRoom: () => void = () => {};

  constructor(options: EventLinkOptions) {
    const { clock, frames } = options;
    this.#options = options;
    this.#toldDown = options.isToldDown === true;
    this.over = followEvents({
      ...options,
      loop: new RetryLoop({ ...options, canRenew: true }),
      cursor: () => frames.delivered,
      silenceMs: options.silenceMs ?? DEFAULT_SILENCE_MS,
      maxEventBytes: options.maxEventBytes ?? DEFAULT_MAX_EVENT_BYTES,
      room: () => this.#full,
      onUp: (attempt) => this.#onUp(attempt),
      onEvent: (event) => this.#onEvent(event),
      onTooLarge: () => this.#onTooLarge(),
      onPiece: () => this.#handOver(),
      onDown: (cause, attempt) => this.#onDown(cause, attempt),
    })
      .then(
        () => undefined,
        (error) => TransportError.from(error),
      )
      .finally(() => clock.clearTimeout(this.#verdictTimer));
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

  #onUp(attempt: number): void {
    this.#link = 'greeting';
    this.#attempt = attempt;
    this.#verdictTimer = this.#options.clock.setTimeout(() => {
      this.#greeted(true);
      this.#handOver();
    }, VERDICT_MS);
    this.#options.onUp();
  }

  #onDown(cause: TransportError, attempt: number): void {
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
    this.#options.clock.clearTimeout(this.#verdictTimer);
    this.#link = 'up';
    if (this.#toldDown || !resumed) this.#items.push({ kind: 'link', state: 'up', attempt: this.#attempt, resumed });
    this.#toldDown = false;
  }

  #onEvent(event: EventSourceMessage): boolean {
    const { frames } = this.#options;
    const before = frames.delivered;
    const item = frames.read(event);
    this.#greeted(item !== 'gap');
    if (item === 'end') {
      this.#handOver();
      this.#options.onEnd();
    } else if (item !== undefined && item !== 'gap') this.#items.push(item);
    return frames.delivered > before;
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
    this.#options.control.receive(items);
  }
}
