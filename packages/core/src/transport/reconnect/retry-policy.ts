import type { Clock } from '../async/deadline.ts';
import { checkDurations } from '../async/timer.ts';
import { backoffMs, type BackoffOptions, DEFAULT_BACKOFF_BASE_MS, DEFAULT_BACKOFF_CAP_MS } from './backoff.ts';
import type { AttemptReason } from './credential.ts';
import type { RetryMeaning } from './response-status.ts';

/** The time limits of attempts to connect. */
export interface RetryOptions extends BackoffOptions {
  /** How long one attempt may wait for an answer, in milliseconds. Default 15 000. */
  readonly connectTimeoutMs?: number;
  /** How long attempts continue if no link was ever up, in milliseconds. Default 30 000. */
  readonly connectDeadlineMs?: number;
  /** How long attempts continue after a link was up, in milliseconds. Time during which the machine sleeps does not count. Default 600 000. */
  readonly reconnectDeadlineMs?: number;
  /**
   * Whether attempts continue for `connectDeadlineMs` if the very first attempt reaches no server, for example because of a refused connection, an
   * unknown host or an untrusted certificate. Set this to true for a client that may start before its server. In both cases, a `link` item reports
   * the cause at once. Default false: the transport ends.
   */
  readonly retryFirstConnect?: boolean;
}

const DEFAULT_CONNECT_TIMEOUT_MS = 15_000;
export const DEFAULT_CONNECT_DEADLINE_MS = 30_000;
export const DEFAULT_RECONNECT_DEADLINE_MS = 600_000;

/** The options of a retry policy. */
export interface RetryPolicyOptions extends RetryOptions {
  /** The clock that the policy uses to measure times and budgets. */
  readonly clock: Clock;
  /** Whether a refused credential can be replaced by a new one. Default false. */
  readonly canRenew?: boolean;
  /** Whether a link was up before this policy was created. Default false. */
  readonly everUp?: boolean;
  /** When the time for attempts begins, as a time of the clock. Default: now. */
  readonly since?: number;
}

/** How an attempt failed, or a link ended. */
export interface AttemptFailure extends Partial<Pick<RetryMeaning, 'action' | 'otherwise'>> {
  /** Whether the server itself answered. If so, the next attempt is never made at once. */
  readonly isAnswer?: boolean;
  /** Whether another attempt would most likely fail in the same way, because no server is listening at the address. */
  readonly isRefusal?: boolean;
  /** The delay that the server requires, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** The minimum delay between links, as requested by the server, in milliseconds. */
  readonly leastMs?: number;
}

/**
 * What to do after a failure:
 * - `again`: make the next attempt after `delayMs`. With `renews`, the attempt gets a new credential, and the failure is not reported to the reader
 * - `permanent`: no attempt can succeed
 * - `unreachable`: give up, because no server answered the very first attempt
 * - `give-up`: an attempt may succeed later, but the time for attempts is over
 */
export type RetryVerdict =
  | { readonly kind: 'again'; readonly delayMs: number; readonly renews: boolean }
  | { readonly kind: 'permanent' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'give-up' };

// A link without traffic counts as working once it has lasted this long.
const STABLE_AFTER_MS = 10_000;
const LAST_ATTEMPT_MS = 1000;

/** Creates the policy of one transport. @throws {RangeError} if a time is not a number of at least 0, or if `connectTimeoutMs` is 0 */
export function createRetryPolicy(options: RetryPolicyOptions): RetryPolicy {
  return new RetryPolicy(options);
}

/**
 * Decides whether and when the next attempt is made after attempts or links have failed. The policy itself makes no attempts and sets no timers, but
 * reads the clock and decides based on the reports of its owner.
 *
 * A link is stable if it carried messages (`onProgress`) or lasted ten seconds. Only a stable link resets the budget and the delays. Otherwise, a
 * server that accepts and closes each link would be tried without a pause. After a stable link that lasted less than `baseMs`, one failure still
 * counts, so that a server that sends a message and closes is tried at most once per `baseMs`.
 */
export class RetryPolicy {
  readonly #options: RetryPolicyOptions;
  readonly #clock: Clock;
  #attempt = 1;
  #failures = 0;
  #everUp: boolean;
  #downSince: number;
  #upSince: number | undefined;
  #isStable = false;
  #isRefused = false;

  constructor(options: RetryPolicyOptions) {
    checkDurations(options, ['connectTimeoutMs']);
    this.#options = options;
    this.#clock = options.clock;
    this.#everUp = options.everUp ?? false;
    this.#downSince = options.since ?? options.clock.now();
  }

  /** The number of the current or next attempt since a link was last up, counted from 1. */
  get attempt(): number {
    return this.#attempt;
  }

  /** Why the current or next attempt is made. */
  get reason(): AttemptReason {
    if (this.#isRefused) return 'refused';
    return this.#everUp ? 'lost' : 'first';
  }

  /** Whether a link was ever up, including before this policy was created (`everUp` of the options). */
  get everUp(): boolean {
    return this.#everUp;
  }

  /** Whether the time for attempts is over. */
  get isSpent(): boolean {
    return this.#leftMs <= 0;
  }

  /** How long an attempt may take, in milliseconds: no longer than the remaining time for attempts, but at least one second. */
  attemptMs(timeoutMs: number = this.#options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS): number {
    const left = this.#leftMs;
    return left > 0 ? Math.min(timeoutMs, Math.max(left, LAST_ATTEMPT_MS)) : timeoutMs;
  }

  /** Call this when a link is up. */
  onUp(): void {
    if (this.#upSince !== undefined) return;
    this.#upSince = this.#clock.now();
    this.#isStable = false;
    this.#everUp = true;
    this.#attempt = 1;
  }

  /** Call this when the current link has carried messages: the other side has acknowledged messages or sent new messages. */
  onProgress(): void {
    this.#isStable = true;
  }

  /**
   * Call this when a timer that was due at `dueAt` has fired. If the timer is late by more than `capMs`, the machine has slept. Failures before the
   * sleep then do not count, and the sleep does not count as time for attempts. Returns whether the machine has slept.
   */
  onTimer(dueAt: number): boolean {
    const now = this.#clock.now();
    const hasSlept = now - dueAt > (this.#options.capMs ?? DEFAULT_BACKOFF_CAP_MS);
    // After a sleep, the next attempt is made at once.
    if (hasSlept) this.#startAnew(now, 1);
    return hasSlept;
  }

  /** Call this when the link is gone. Returns whether the link was up. `onFailure` does the same, and also decides what to do next. */
  onDown(): boolean {
    if (this.#upSince === undefined) return false;
    const now = this.#clock.now();
    const lastedMs = now - this.#upSince;
    const { baseMs = DEFAULT_BACKOFF_BASE_MS } = this.#options;
    this.#upSince = undefined;
    if (this.#isStable || lastedMs >= STABLE_AFTER_MS) {
      this.#startAnew(now, lastedMs < baseMs ? Math.min(this.#failures, 1) : 0);
    }
    return true;
  }

  /** Call this when an attempt has failed, or the link that was up is gone. Decides what to do next. */
  onFailure(failure: AttemptFailure): RetryVerdict {
    const { action, otherwise, isAnswer = false, isRefusal = false, retryAfterMs = 0, leastMs = 0 } = failure;
    const wasUp = this.onDown();
    const isRefusedAgain = action === 'refresh' && (this.#isRefused || this.#options.canRenew !== true);
    const isFinal = isRefusedAgain && (otherwise === 'permanent' || !this.#everUp);
    if (action === 'permanent' || isFinal) return { kind: 'permanent' };
    const isFirst = !this.#everUp && this.#attempt === 1 && this.#options.retryFirstConnect !== true;
    if (isFirst && isRefusal) return { kind: 'unreachable' };
    const renews = action === 'refresh' && !isRefusedAgain;
    if (renews) this.#isRefused = true;
    else this.#failures = Math.max(this.#failures + 1, isAnswer ? 2 : 1);
    if (!wasUp) this.#attempt++;
    const backoff = renews ? 0 : Math.max(backoffMs(this.#failures, this.#options), leastMs);
    const delayMs = this.#within(backoff, retryAfterMs);
    return delayMs === undefined ? { kind: 'give-up' } : { kind: 'again', delayMs, renews };
  }

  get #budgetMs(): number {
    const { reconnectDeadlineMs = DEFAULT_RECONNECT_DEADLINE_MS, connectDeadlineMs = DEFAULT_CONNECT_DEADLINE_MS } =
      this.#options;
    return this.#everUp ? reconnectDeadlineMs : connectDeadlineMs;
  }

  get #leftMs(): number {
    return this.#budgetMs - (this.#clock.now() - this.#downSince);
  }

  /** Shortens the delay so that the last attempt is made within the budget. Returns `undefined` if no time is left for another attempt. */
  #within(delayMs: number, retryAfterMs: number): number | undefined {
    const left = this.#leftMs;
    const latest = left - Math.min(LAST_ATTEMPT_MS, this.#budgetMs / 10);
    if (latest <= 0 || retryAfterMs >= left) return undefined;
    return Math.max(Math.min(delayMs, latest), retryAfterMs);
  }

  #startAnew(now: number, failures: number): void {
    this.#failures = failures;
    this.#downSince = now;
    this.#isRefused = false;
  }
}
