import type { Resumption, Retained } from './resumable-transport.ts';
import type { Liveness } from './watchable-transport.ts';
import type { WorkerLink } from './worker-transport.ts';

/**
 * What a transport may have beside the contract, for those who make or wrap transports; for users there is a guard for each. A member
 * that is undefined is not there, and may be there later: a transport may learn from its link what it has.
 */
export interface TransportExtensions {
  readonly resumption?: Resumption | undefined;
  readonly retained?: Retained | undefined;
  readonly worker?: WorkerLink | undefined;
  readonly liveness?: Liveness | undefined;
}

/** What a driver may have beside its own members, and its transport then has as well. */
export type DriverExtensions = Omit<TransportExtensions, 'liveness'>;
