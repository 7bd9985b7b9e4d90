import type { Account } from '../auth/accounts.ts';
import {
  BYTE_BURST_MS,
  MAX_APPROVER_BYTES_PER_SECOND,
  MAX_VIEWER_BYTES_PER_SECOND,
  RateLimit,
  refuseUntil,
  REQUEST_BURST_MS,
} from './rate-limit.ts';

export interface RateLimitsOptions {
  readonly maxRequestsPerSecond: number;
  /** The rate of drivers and workers. The rates of other roles are fixed. */
  readonly maxBytesPerSecond: number;
  readonly now: () => number;
}

/** Counts bytes. Returns the milliseconds to wait, or 0. */
export type TakeBytes = (bytes: number) => number;

/** The limits for requests and bytes, for each account and for the worker of each session. */
export class RateLimits {
  /** Each limit has its own names, so that no account is counted as the worker of a session. */
  readonly #requests: Readonly<Record<'account' | 'worker', RateLimit>>;
  readonly #bytes: Readonly<Record<Account['role'] | 'worker', RateLimit>>;

  constructor({ maxRequestsPerSecond, maxBytesPerSecond, now }: RateLimitsOptions) {
    const requests = () => new RateLimit({ perSecond: maxRequestsPerSecond, burstMs: REQUEST_BURST_MS, now });
    const bytes = (perSecond: number) =>
      new RateLimit({ perSecond: Math.min(perSecond, maxBytesPerSecond), burstMs: BYTE_BURST_MS, now });
    this.#requests = { account: requests(), worker: requests() };
    this.#bytes = {
      driver: bytes(maxBytesPerSecond),
      worker: bytes(maxBytesPerSecond),
      approver: bytes(MAX_APPROVER_BYTES_PER_SECOND),
      viewer: bytes(MAX_VIEWER_BYTES_PER_SECOND),
    };
  }

  /**
   * Counts a request of an account.
   * @throws {Refusal} with status 429 if the limit is exceeded.
   */
  requestOfAccount({ name }: Account): void {
    refuseUntil(this.#requests.account.take(name), 'requests');
  }

  /**
   * Counts a request of the worker of a session.
   * @throws {Refusal} with status 429 if the limit is exceeded.
   */
  requestOfWorker(session: string): void {
    refuseUntil(this.#requests.worker.take(session), 'requests');
  }

  /** Counts the bytes of an account before they are read. */
  ofAccount({ name, role }: Account): TakeBytes {
    return (bytes) => this.#bytes[role].take(name, bytes);
  }

  /** Counts the bytes of the worker of a session before they are read. */
  ofWorker(session: string): TakeBytes {
    return (bytes) => this.#bytes.worker.take(session, bytes);
  }

  /** Counts the bytes that have already arrived from an account, even if they exceed the limit. */
  owedByAccount({ name, role }: Account): TakeBytes {
    return (bytes) => this.#bytes[role].owe(name, bytes);
  }

  /** Counts bytes that have already arrived from the worker of a session, even if they exceed the limit. */
  owedByWorker(session: string): TakeBytes {
    return (bytes) => this.#bytes.worker.owe(session, bytes);
  }
}
