import {
  attemptWithin,
  backoffMs,
  type BackoffOptions,
  type Clock,
  retryWithin,
  type TransportError,
} from '@proto/core/transport';
import type { HttpResponse } from './http.ts';
import { RequestFailed, type RequestOptions, type Requests } from './requests.ts';
import { Scope } from './scope.ts';
import { sleep } from './within.ts';

const BASE_MS = 500;

/** What requests are made by, again and again. */
export interface InsistenceOptions extends Omit<BackoffOptions, 'baseMs'> {
  readonly requests: Pick<Requests, 'open' | 'finish'>;
  readonly clock: Clock;
  /** Ends all that is under way. */
  readonly signal: AbortSignal;
  /** No request will work any more. */
  readonly onPermanent: (error: TransportError) => void;
}

/** A request to insist on. */
export interface InsistentRequest extends RequestOptions {
  /** Reads the answer. Default: it has nothing to say. */
  readonly onAnswer?: (response: HttpResponse, signal: AbortSignal) => Promise<void>;
  /** Told what was answered, where nothing else reads it: as much of it as is worth its connection. */
  readonly onTaken?: (answer: readonly Uint8Array[]) => void;
  /** How long to go on, and since when, in milliseconds. Default: for ever. */
  readonly within?: { readonly budgetMs: number; readonly since: number };
  /** Whether to go on behind a failure that passes. Default: always. */
  readonly again?: (failure: RequestFailed) => boolean;
}

/** Makes requests until the server has taken them, each with growing delays of its own. */
export class Insistence {
  readonly #options: InsistenceOptions & BackoffOptions;
  readonly #scope: Scope;
  readonly #pauses = new Set<() => void>();

  constructor(options: InsistenceOptions) {
    this.#options = { ...options, baseMs: BASE_MS };
    this.#scope = new Scope(options.signal);
  }

  /**
   * Makes a request until it is taken; gives why it never will be, or why it was given up. Rejects when no request will work any more,
   * or with the reason of the signal.
   */
  async insist(request: InsistentRequest): Promise<TransportError | undefined> {
    const { onPermanent } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#make(request);
        return undefined;
      } catch (failure) {
        if (!(failure instanceof RequestFailed)) throw failure;
        if (failure.action === 'refused') return failure.error;
        if (failure.action === 'permanent') {
          onPermanent(failure.error);
          throw failure.error;
        }
        if (request.again?.(failure) === false) return failure.error;
        // A broken connection is worth another one at once, a server that answered so is not.
        if (attempt === 1 && failure.error.status !== undefined) attempt++;
        const { retryAfterMs } = failure;
        const delayMs = backoffMs(attempt, this.#options);
        const budget = this.#budgetOf(request);
        const ms = budget === undefined ? delayMs : retryWithin({ ...budget, delayMs, retryAfterMs });
        if (ms === undefined) return failure.error;
        await this.#pause(ms, retryAfterMs);
      }
    }
  }

  /** The server can be reached: what waits for its next attempt need not. */
  wake(): void {
    for (const wake of this.#pauses) wake();
  }

  #budgetOf({ within }: InsistentRequest): { readonly budgetMs: number; readonly spentMs: number } | undefined {
    return within && { budgetMs: within.budgetMs, spentMs: this.#options.clock.now() - within.since };
  }

  #make(request: InsistentRequest): Promise<void> {
    const { requests } = this.#options;
    const { onAnswer, onTaken } = request;
    const budget = this.#budgetOf(request);
    const timeoutMs = budget === undefined ? request.timeoutMs : attemptWithin(request.timeoutMs, budget);
    return this.#scope.run(async (signal) => {
      const response = await requests.open({ ...request, timeoutMs }, signal);
      if (onAnswer !== undefined) return onAnswer(response, signal);
      onTaken?.(await requests.finish(response, signal));
    });
  }

  /** Until the time is over. What the server did not ask for is cut short when it can be reached again. */
  async #pause(backoff: number, retryAfterMs: number): Promise<void> {
    const { clock, signal } = this.#options;
    const ms = Math.max(backoff, retryAfterMs);
    let wake = () => {};
    const woken = new Promise<void>((resolve) => {
      if (retryAfterMs === 0) wake = resolve;
    });
    this.#pauses.add(wake);
    try {
      await sleep({ clock, ms, signal }, woken);
    } finally {
      this.#pauses.delete(wake);
    }
  }
}
