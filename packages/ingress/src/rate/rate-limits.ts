import type { Account } from '../auth/accounts.ts';
import {
  BYTE_BURST_MS,
  MAX_APPROVER_BYTES_PER_SECOND,
  MAX_VIEWER_BYTES_PER_SECOND,
  RateLimit,
  refuseUntil,
  REQUEST_BURST_MS,
} from './rate-limit.ts';

/** The rates of all accounts and workers. */
export interface RateLimitsOptions {
  readonly maxRequestsPerSecond: number;
  /** The rate of drivers and workers; the rates of other roles are fixed. */
  readonly maxBytesPerSecond: number;
  readonly now: () => number;
}

/** Counts bytes. Returns the milliseconds to wait; 0 for none. */
export type TakeBytes = (bytes: number) => number;

/** The limits of requests and bytes, for each account and for the worker of each session. */
export class RateLimits {
  readonly #requests: RateLimit;
  readonly #bytes: Readonly<Record<Account['role'] | 'worker', RateLimit>>;

  constructor({ maxRequestsPerSecond, maxBytesPerSecond, now }: RateLimitsOptions) {
    const bytes = (perSecond: number) =>
      new RateLimit({ perSecond: Math.min(perSecond, maxBytesPerSecond), burstMs: BYTE_BURST_MS, now });
    const trusted = bytes(maxBytesPerSecond);
    this.#requests = new RateLimit({ perSecond: maxRequestsPerSecond, burstMs: REQUEST_BURST_MS, now });
    this.#bytes = {
      driver: trusted,
      worker: trusted,
      approver: bytes(MAX_APPROVER_BYTES_PER_SECOND),
      viewer: bytes(MAX_VIEWER_BYTES_PER_SECOND),
    };
  }

  /**
   * Counts a request.
   * @throws {Refusal} with status 429 above the limit.
   */
  request(name: string): void {
    refuseUntil(this.#requests.take(name), 'requests');
  }

  /** Counts the bytes of an account before they are read. */
  ofAccount({ name, role }: Account): TakeBytes {
    return (bytes) => this.#bytes[role].take(accountName(name), bytes);
  }

  /** Counts the bytes of the worker of a session before they are read. */
  ofWorker(session: string): TakeBytes {
    return (bytes) => this.#bytes.worker.take(workerName(session), bytes);
  }

  /** Counts bytes of an account that have already come, however many they are. */
  owedByAccount({ name, role }: Account): TakeBytes {
    return (bytes) => this.#bytes[role].owe(accountName(name), bytes);
  }

  /** Counts bytes of the worker of a session that have already come. */
  owedByWorker(session: string): TakeBytes {
    return (bytes) => this.#bytes.worker.owe(workerName(session), bytes);
  }
}

/** The name under which the requests and bytes of an account are counted. */
export function accountName(account: string): string {
  return `account ${account}`;
}

/** The name under which the requests and bytes of the worker of a session are counted. */
export function workerName(session: string): string {
  return `worker of ${session}`;
}
