import { type Clock, systemClock } from '../async/deadline.ts';
import { TransportError } from '../error.ts';
import { connectFailureOf } from '../network/connect-failure.ts';
import { withoutSecrets } from '../network/without-secrets.ts';
import type { TransportControl } from '../transport.ts';
import type { ConnectionEvents } from './connection-parts.ts';
import type { AttemptReason } from './credential.ts';
import { type AttemptFailure, RetryPolicy, type RetryPolicyOptions } from './retry-policy.ts';

/** How a reconnector makes its attempts. */
export interface ReconnectorOptions extends Omit<RetryPolicyOptions, 'clock'> {
  /** The name of the transport, with which the texts of errors begin. */
  readonly name: string;
  /** Default: the time of this machine. */
  readonly clock?: Clock | undefined;
  /**
   * Makes one attempt: asks for the address, opens a link, and returns or fulfils. What it throws or rejects with ends the attempt. A link that
   * was opened ends with `up` or `down`. The signal aborts when the attempt takes too long, or when the reconnector stops: drop the link then.
   */
  readonly connect: (reason: AttemptReason, signal: AbortSignal) => void | Promise<void>;
  /** No attempt follows: release everything, and end the transport with this error. */
  readonly onGiveUp: (error: TransportError) => void;
}

/** Makes attempts, one after the other, for a transport that reconnects. Reports `link` items to its reader, and opens it. */
export interface Reconnector {
  /** The events of a connection whose links end only by an error. Pass them to `createConnection`. */
  readonly events: ConnectionEvents;
  /** Makes an attempt now: the first one, or one that takes the place of the last one and counts as the same. */
  dial(): void;
  /**
   * The link is up: messages can be sent. Call it again if messages turn out to be missing later.
   *
   * @param resumed False if messages of the other side may be missing.
   */
  up(resumed: boolean): void;
  /** The link carried messages: the other side has sent some, or acknowledged some. The next break is retried at once. */
  progress(): void;
  /**
   * The link is gone, or did not come up. Makes the next attempt when it is due, or gives up. Does nothing if neither an attempt nor a link exists.
   *
   * @param cause What broke it. A `TransportError` is passed on, and ends the transport unless it is `retryable`. Of any other error nothing
   * is quoted but the code of the platform.
   * @param failure What the caller knows of the failure. These members replace what the cause says.
   */
  down(cause: unknown, failure?: AttemptFailure): void;
  /** Makes no further attempt, and aborts the present one. Call it when the transport is released. */
  stop(): void;
}

/**
 * Creates a reconnector for the driver that has this control. The first call of `dial` starts it.
 *
 * @throws {RangeError} for a time that is not a number from 0 on
 */
export function createReconnector(
  control: Pick<TransportControl, 'opened' | 'receive'>,
  options: ReconnectorOptions,
): Reconnector {
  return new AttemptLoop(control, options);
}

/**
 * States:
 * - `idle`: before the first attempt, and before the next one
 * - `dialing`: an attempt is under way, until `up`, `down` or the end of its time
 * - `up`
 * - `stopped`
 */
class AttemptLoop implements Reconnector {
  readonly events: ConnectionEvents = {
    onUp: (resumed) => this.up(resumed),
    onProgress: () => this.progress(),
    onDown: (cause) => this.down(cause),
    onRelease: () => this.stop(),
  };
  readonly #control: Pick<TransportControl, 'opened' | 'receive'>;
  readonly #options: ReconnectorOptions;
  readonly #clock: Clock;
  readonly #policy: RetryPolicy;
  #state: 'idle' | 'dialing' | 'up' | 'stopped' = 'idle';
  #attempt: AbortController | undefined;
  #timer: unknown;
  #isDownReported = false;

  constructor(control: Pick<TransportControl, 'opened' | 'receive'>, options: ReconnectorOptions) {
    const { clock = systemClock } = options;
    this.#control = control;
    this.#options = options;
    this.#clock = clock;
    this.#policy = new RetryPolicy({ ...options, clock });
  }

  dial(): void {
    if (this.#state === 'stopped') return;
    this.#state = 'dialing';
    const attempt = new AbortController();
    this.#attempt = attempt;
    this.#after(this.#policy.attemptMs(), () => {
      const error = new TransportError('timeout', `${this.#options.name}: no answer in time`);
      attempt.abort(error);
      // The owner may have reported it when the signal aborted.
      this.#fail(attempt, error);
    });
    void this.#connect(attempt);
  }

  up(resumed: boolean): void {
    if (this.#state === 'stopped') return;
    this.#clock.clearTimeout(this.#timer);
    this.#state = 'up';
    const { attempt } = this.#policy;
    this.#policy.onUp();
    if (this.#isDownReported || !resumed) this.#control.receive([{ kind: 'link', state: 'up', attempt, resumed }]);
    this.#isDownReported = false;
    this.#control.opened();
  }

  progress(): void {
    this.#policy.onProgress();
  }

  down(cause: unknown, failure?: AttemptFailure): void {
    const wasUp = this.#state === 'up';
    if (!wasUp && this.#state !== 'dialing') return;
    this.#clock.clearTimeout(this.#timer);
    this.#state = 'idle';
    this.#attempt = undefined;
    const error = this.#errorOf(cause, wasUp);
    const isRefusal = connectFailureOf(cause)?.isRefusal === true;
    const action = TransportError.is(cause) && !cause.retryable ? 'permanent' : 'retry';
    const verdict = this.#policy.onFailure({ action, isRefusal, ...failure });
    if (verdict.kind !== 'again') {
      this.stop();
      return this.#options.onGiveUp(verdict.kind === 'permanent' ? rejectedForGood(error) : error);
    }
    // The first attempt is reported as well, or nobody would know for half a minute. If a credential is renewed at once, nothing is reported.
    if (!this.#isDownReported && (wasUp || !verdict.renews)) {
      this.#control.receive([{ kind: 'link', state: 'down', attempt: this.#policy.attempt, cause: error }]);
      this.#isDownReported = true;
    }
    this.#after(verdict.delayMs, () => this.dial());
  }

  stop(): void {
    const isDialing = this.#state === 'dialing';
    this.#state = 'stopped';
    this.#clock.clearTimeout(this.#timer);
    if (isDialing) this.#attempt?.abort();
    this.#attempt = undefined;
  }

  async #connect(attempt: AbortController): Promise<void> {
    try {
      await this.#options.connect(this.#policy.reason, attempt.signal);
    } catch (error) {
      this.#fail(attempt, error);
    }
  }

  #fail(attempt: AbortController, cause: unknown): void {
    if (this.#attempt === attempt && this.#state === 'dialing') this.down(cause);
  }

  #after(ms: number, act: () => void): void {
    const dueAt = this.#clock.now() + ms;
    this.#clock.clearTimeout(this.#timer);
    this.#timer = this.#clock.setTimeout(() => {
      this.#policy.onTimer(dueAt);
      act();
    }, ms);
  }

  #errorOf(cause: unknown, wasUp: boolean): TransportError {
    if (TransportError.is(cause)) return cause;
    const { text = 'the connection broke' } = connectFailureOf(cause) ?? {};
    const about = cause === undefined ? {} : { cause: withoutSecrets(cause) };
    const { name } = this.#options;
    return wasUp
      ? new TransportError('lost', `${name}: ${text}`, about)
      : new TransportError('connect-failed', `${name}: cannot connect: ${text}`, about);
  }
}

function rejectedForGood(error: TransportError): TransportError {
  if (!error.retryable) return error;
  const { message, status, cause } = error;
  const about = { ...(status !== undefined && { status }), ...(cause !== undefined && { cause }) };
  return new TransportError('rejected', message, about);
}
