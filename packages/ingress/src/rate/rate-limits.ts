import type { Account } from '../auth/accounts.ts';
import {
  BYTE_BURST_MS,
  MAX_APPROVER_BYTES_PER_SECOND,
  MAX_VIEWER_BYTES_PER_SECOND,
  RateLimit,
  refuseUntil,
  REQUEST_BURST_MS,
} from './rate-limit.ts';

/** How fast anybody may be. */
export interface RateLimitsOptions {
  readonly maxRequestsPerSecond: number;
  /** Of drivers and workers; those of others are fixed. */
  readonly maxBytesPerSecond: number;
  readonly now: () => number;
}

/** Takes note of bytes that somebody is about to send; gives the milliseconds to wait before they may come. */
export type TakeBytes = (bytes: number) => number;

/** Limits of requests and of bytes, for each account and for the worker of each session by itself. */
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
   * @throws {Refusal} with status 429 for one too many.
   */
  request(name: string): void {
    refuseUntil(this.#requests.take(name), 'requests');
  }

  /** What takes the bytes of an account, before they are read. */
  ofAccount({ name, role }: Account): TakeBytes {
    return (bytes) => this.#bytes[role].take(accountName(name), bytes);
  }

  /** What takes the bytes of the worker of a session. */
  ofWorker(session: string): TakeBytes {
    return (bytes) => this.#bytes.worker.take(workerName(session), bytes);
  }

  /** The same for bytes that have come already: they are counted, however many they are. */
  owedByAccount({ name, role }: Account): TakeBytes {
    return (bytes) => this.#bytes[role].owe(accountName(name), bytes);
  }

  /** The same for the worker of a session. */
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
