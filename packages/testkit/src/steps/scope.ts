import type { Variables } from '../match/variables.ts';
import type { Inbox } from './inbox.ts';

/** One end of a connection that the suite holds: it says something, and receives what the program under test says. */
export interface Party {
  readonly name: string;
  readonly inbox: Inbox;
  /**
   * Sends a text as it is.
   *
   * @throws if nothing can be sent any more.
   */
  sendText(text: string): Promise<void> | void;
  /** Sends a message. One that is a line of NDJSON by default. */
  send?(message: unknown): Promise<void> | void;
}

/** The default of how long a step waits, in milliseconds. */
export const DEFAULT_STEP_MS = 10_000;

/** What the steps of one case share. */
export interface Scope {
  readonly variables: Variables;
  /** The parties by name. Steps of a side may add some. */
  readonly parties: Map<string, Party>;
  /** The party of steps without `by`. */
  defaultParty: string;
  /** Every time limit is multiplied by this number. */
  readonly timeoutScale: number;
  /** Aborted when the case is given up. */
  readonly signal: AbortSignal;
  /** The answers of `serve`, by the subtype of a request. */
  readonly served: Map<string, unknown>;
  /** The number of requests that were sent, for ids. */
  requests: number;
}
