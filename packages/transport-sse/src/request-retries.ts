import type { BackoffOptions, Clock } from '@proto/core/reconnect';
import { createRetryPolicy, type RetryPolicy, type RetryPolicyOptions, sleep } from '@proto/core/network';
import type { TransportError } from '@proto/core/transport';
import type { HttpResponse } from './http.ts';
import { RequestFailed, type RequestOptions, type Requests } from './requests.ts';
import { Scope } from './scope.ts';

const BASE_MS = 500;

export interface RequestRetriesOptions extends Omit<BackoffOptions, 'baseMs'> {
  readonly requests: Pick<Requests, 'open' | 'finish'>;
  readonly clock: Clock;
  /** Ends all requests when it aborts. */
  readonly signal: AbortSignal;
  /** Called when it is certain that requests can no longer succeed. */
  readonly onPermanent: (error: TransportError) => void;
}

export interface RetriedRequest extends RequestOptions {
  /** Default: the body of the answer is ignored. */
  readonly onAnswer?: (response: HttpResponse, signal: AbortSignal) => Promise<void>;
  /** Called with the first 64 KiB of the answer, unless `onAnswer` is given. */
  readonly onTaken?: (answer: readonly Uint8Array[]) => void;
  /** How long to repeat the request while the transport opens. Default: without a limit. */
  readonly opening?: Pick<RetryPolicyOptions, 'since' | 'connectDeadlineMs' | 'retryFirstConnect'>;
  /** Whether to repeat the request after a failure that may be temporary. Default: always. A refused credential is renewed in any case. */
  readonly again?: (failure: RequestFailed) => boolean;
}

/** Each request has a separate retry policy. */
export class RequestRetries {
  readonly #options: RequestRetriesOptions;
  readonly #scope: Scope;
  readonly #backoff: RetryPolicyOptions;
  readonly #forEver: RetryPolicyOptions;
  readonly #pauses = new Set<() => void>();

  constructor(options: RequestRetriesOptions) {
    this.#options = options;
    this.#scope = new Scope(options.signal);
    const { clock, capMs, jitter, random } = options;
    this.#backoff = {
      baseMs: BASE_MS,
      ...(capMs !== undefined && { capMs }),
      ...(jitter !== undefined && { jitter }),
      ...(random !== undefined && { random }),
      clock,
      canRenew: true,
    };
    this.#forEver = { ...this.#backoff, everUp: true, reconnectDeadlineMs: Infinity };
  }

  /**
   * Returns `undefined` after success. Returns the error if the server refused the request permanently, or if `again` returned `false`.
   *
   * @throws {TransportError} if requests can no longer succeed. If the signal aborts, throws its reason.
   */
  async send(request: RetriedRequest): Promise<TransportError | undefined> {
    const { opening } = request;
    const policy = createRetryPolicy(opening === undefined ? this.#forEver : { ...this.#backoff, ...opening });
    for (;;) {
      try {
        await this.#make(request, policy);
        return undefined;
      } catch (failure) {
        if (!(failure instanceof RequestFailed)) throw failure;
        if (failure.action === 'refused') return failure.error;
        const verdict = policy.onFailure(failure.failure);
        if (verdict.kind === 'permanent' || verdict.kind === 'unreachable') {
          this.#options.onPermanent(failure.rejection);
          throw failure.rejection;
        }
        const isRenewal = verdict.kind === 'again' && verdict.renews;
        const goesOn = isRenewal || request.again?.(failure) !== false;
        if (verdict.kind === 'give-up' || !goesOn) return failure.error;
        if (verdict.delayMs > 0) await this.#pause(verdict.delayMs, failure.retryAfterMs, policy);
      }
    }
  }

  /** Call this when the server can be reached again. */
  wake(): void {
    for (const wake of this.#pauses) wake();
  }

  #make(request: RetriedRequest, policy: RetryPolicy): Promise<void> {
    const { requests } = this.#options;
    const { onAnswer, onTaken } = request;
    const attempt = { ...request, timeoutMs: policy.attemptMs(request.timeoutMs), reason: policy.reason };
    return this.#scope.run(async (signal) => {
      const response = await requests.open(attempt, signal);
      if (onAnswer !== undefined) return onAnswer(response, signal);
      onTaken?.(await requests.finish(response, signal));
    });
  }

  /** `wake` ends the wait, unless the server itself requested the delay with `Retry-After`. */
  async #pause(ms: number, retryAfterMs: number, policy: RetryPolicy): Promise<void> {
    const { clock, signal } = this.#options;
    const dueAt = clock.now() + ms;
    let wake = () => {};
    const woken = new Promise<void>((resolve) => {
      if (retryAfterMs === 0) wake = resolve;
    });
    this.#pauses.add(wake);
    try {
      await sleep({ clock, ms, signal }, woken);
      policy.onTimer(dueAt);
    } finally {
      this.#pauses.delete(wake);
    }
  }
}
