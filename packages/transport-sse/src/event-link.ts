import { createRetryPolicy, type RetryPolicyOptions, toTransportError } from '@proto/core/network';
import type { Clock, RetryOptions } from '@proto/core/reconnect';
import {
  type Cursor,
  type Incoming,
  type TransportControl,
  TransportError,
  type TransportOptions,
} from '@proto/core/transport';
import type { EventSourceMessage } from 'eventsource-parser';
import { type EventStreamOptions, followEvents } from './event-stream.ts';
import type { PostLimits } from './post-queue.ts';
import { DEFAULT_MAX_EVENT_BYTES } from './read-events.ts';
import type { RequestsOptions } from './requests.ts';
import type { SessionFrames } from './session-frames.ts';

/** The session to follow, and the options for following it. */
export interface SseOptions
  extends RequestsOptions,
    RetryOptions,
    PostLimits,
    Pick<TransportOptions, 'maxIncomingBytes'> {
  /** The last event that an earlier process has handled. Default: reading starts at the beginning of the session. */
  readonly cursor?: Cursor;
  /** How long the stream may be silent before it counts as lost, in milliseconds. Default 45 000. */
  readonly silenceMs?: number;
  /** The maximum length of an event, in UTF-16 units of its text. A longer event is reported as `malformed`. Default 64 Mi. */
  readonly maxEventBytes?: number;
  /** The clock and the timers. Default: the clock and timers of this machine. */
  readonly clock?: Clock;
}

export interface EventLinkOptions
  extends SseOptions,
    Pick<RetryPolicyOptions, 'since'>,
    Pick<EventStreamOptions, 'requests' | 'path' | 'meaningOf'> {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly control: Pick<TransportControl, 'receive'>;
  readonly frames: SessionFrames;
  readonly cursorParameter?: string;
  /** Whether the reader was already notified that the link is down. Default false. */
  readonly isDownReported?: boolean;
  /** Called when a link is up. */
  readonly onUp: () => void;
  /** Called after the last event of the session. */
  readonly onEnd: () => void;
}

// Three times as long as servers wait before they send a comment.
const DEFAULT_SILENCE_MS = 45_000;

// A server's first event may state whether the stream continues after the cursor. If it does not, the stream counts as continued after this time.
const VERDICT_MS = 1000;

/**
 * Receives the events of a session for one of its sides, over a series of links. A link has these states:
 * - `down`: attempts to connect continue
 * - `greeting`: the link is up, but it is not yet known whether messages are missing. This state ends with the first event, or after `VERDICT_MS`
 * - `up`: the reader knows whether messages are missing
 */
export class EventLink {
  /** Fulfils when no further link will be opened. The value is the reason, or `undefined` if the session was read to its end. */
  readonly over: Promise<TransportError | undefined>;
  readonly #options: EventLinkOptions;
  #link: 'down' | 'greeting' | 'up' = 'down';
  #isDownReported: boolean;
  #attempt = 1;
  #verdictTimer: unknown;
  #items: Incoming[] = [];
  #full: Promise<void> | undefined;
  #makeRoom: () => void = () => {};

  constructor(options: EventLinkOptions) {
    const { clock, frames } = options;
    this.#options = options;
    this.#isDownReported = options.isDownReported === true;
    this.over = followEvents({
      ...options,
      policy: createRetryPolicy({ ...options, canRenew: true }),
      cursor: () => frames.place,
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
        (error) => toTransportError(error),
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
    // A link that goes down in the state `greeting` was up, so the reader must be notified of that first.
    this.#greeted(true);
    this.#link = 'down';
    this.#isDownReported = true;
    this.#items.push({ kind: 'link', state: 'down', attempt, cause });
    this.#handOver();
  }

  #greeted(resumed: boolean): void {
    const known = this.#link !== 'greeting';
    if (this.#link === 'down' || (known && resumed)) return;
    this.#options.clock.clearTimeout(this.#verdictTimer);
    this.#link = 'up';
    if (this.#isDownReported || !resumed)
      this.#items.push({ kind: 'link', state: 'up', attempt: this.#attempt, resumed });
    this.#isDownReported = false;
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
    const error = new TransportError('too-large', 'sse: an event is larger than maxEventBytes');
    this.#items.push({ kind: 'malformed', error, excerpt: '' });
  }

  // An empty list shows that the link is alive.
  #handOver(): void {
    const items = this.#items;
    this.#items = [];
    this.#options.control.receive(items);
  }
}
