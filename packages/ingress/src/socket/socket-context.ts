import type { Account } from '../auth/accounts.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import type { LogLink, LinkOptions } from '@proto/transport-websocket';

/** What all sockets share. */
export interface SocketContext extends LinkOptions {
  /** Streams of one session at a time. */
  readonly maxStreams: number;
  /** Those there are. */
  readonly links: Set<LogLink>;
  /** Whether an account may still do what it did. */
  readonly isCurrent: (account: Account) => Promise<boolean>;
  readonly rates: RateLimits;
  readonly onError: (error: unknown) => void;
}
