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
  /** The name of the transport. Error messages begin with this name. */
  readonly name: string;
  /** The clock and timers. Default: the clock and timers of this machine. */
  readonly clock?: Clock | undefined;
  /**
   * Makes one attempt: asks for the address, opens a link, and returns or fulfils. If the function throws or rejects, the attempt has failed with
   * that error. If the function has opened a link, call `up` or `down` later. The signal aborts when the attempt takes too long, or when the
   * reconnector stops. In this case, drop the link.
   */
  readonly connect: (reason: AttemptReason, signal: AbortSignal) => void | Promise<void>;
  /** Called when no further attempt will be made. Must release everything, and end the transport with this error. */
  readonly onGiveUp: (error: TransportError) => void;
}

/**
 * Makes connection attempts, one after another, for a transport that reconnects. Reports `link` items to the transport's reader, and marks the
 * transport as opened.
 */
export interface Reconnector {
  /** The event callbacks for a connection whose links end only with an error. Pass them to `createConnection`. */
  readonly events: ConnectionEvents;
  /** Makes an attempt now. This is either the first attempt, or an attempt that replaces the last attempt and is counted with it as one attempt. */
  dial(): void;
  /**
   * Call this when the link is up and messages can be sent. Call it again if messages turn out to be missing later.
   *
   * @param resumed `false` if messages from the other side may be missing.
   */
  up(resumed: boolean): void;
  /** Call this when the other side has sent or acknowledged messages. After the next break, a new attempt is made at once. */
  progress(): void;
  /**
   * Call this when the link is gone or could not be established. Makes the next attempt when it is due, or gives up. Does nothing if neither an
   * attempt nor a link exists.
   *
   * @param cause The error that broke the link. A `TransportError` is passed on, and ends the transport unless it is `retryable`. Of any other error,
   * only the platform's error code is quoted.
   * @param failure Details of the failure that the caller knows. These members replace the details from the cause.
   */
  down(cause: unknown, failure?: AttemptFailure): void;
  /** Stops making attempts, and aborts the current attempt. Call this when the transport is released. */
  stop(): void;
}

/**
 * Creates a reconnector for the driver that uses this `control`. The first call of `dial` starts it.
 *
 * @throws {RangeError} if a time is not a number of at least 0
 */
export function createReconnector(
  control: Pick<TransportControl, 'opened' | 'receive'>,
  options: ReconnectorOptions,
): Reconnector {
  return new AttemptLoop(control, options);
}

/**
 * States:
 * - `idle`: before the first attempt, and between attempts
 * - `dialing`: an attempt is in progress, until `up`, `down` or a timeout
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
      // The owner may already have reported the failure when the signal aborted.
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
    // A failure of the first attempt is reported too; otherwise nobody would notice it for half a minute. If a credential is renewed at once, nothing
    // is reported.
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
