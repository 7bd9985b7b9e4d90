import type { RateLimits } from '../http/rate-limits.ts';
import type { AccountChecks } from '../auth/account-checks.ts';
import type { LogLink, LinkOptions } from '@proto/transport-websocket';

/** What all sockets share. */
export interface SocketContext extends LinkOptions {
  /** Streams of one session at a time. */
  readonly maxStreams: number;
  /** Those there are. */
  readonly links: Set<LogLink>;
  readonly rates: RateLimits;
  readonly accounts: AccountChecks;
  readonly onError: (error: unknown) => void;
}
