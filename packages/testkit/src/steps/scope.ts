import { Variables } from '../match/variables.ts';
import type { Inbox } from './inbox.ts';

/** One end of a connection to the program under test. A party sends messages, and its inbox contains the program's messages. */
export interface Party {
  /** The name by which a step selects the party in `by`. */
  readonly name: string;
  /** The messages that the program under test has sent to this party. */
  readonly inbox: Inbox;
  /**
   * Sends a string unchanged.
   *
   * @throws if the connection no longer accepts data.
   */
  sendText(text: string): Promise<void> | void;
  /** Sends a message. Default: sends it as a line of NDJSON. */
  send?(message: unknown): Promise<void> | void;
}

/** The default time limit of a step: 10 000 ms. */
export const DEFAULT_STEP_MS = 10_000;

/** The state that the steps of one case share. */
export interface Scope {
  /** The values that steps have bound to names. */
  readonly variables: Variables;
  /** The parties by name. Side-specific steps may add parties. */
  readonly parties: Map<string, Party>;
  /** The party that is used for steps without `by`. */
  defaultParty: string;
  /** Every time limit is multiplied by this number. */
  readonly timeoutScale: number;
  /** Aborts when the case is cancelled. */
  readonly signal: AbortSignal;
  /** The answers that `serve` steps have defined, by the subtype of the request, or by `hook_callback/ID` for one hook. */
  readonly served: Map<string, unknown>;
  /** The ids of the requests that were answered because of a `serve` step. */
  readonly answered: Set<unknown>;
  /** The number of requests that were sent so far. Request ids are created from this number. */
  requests: number;
}

/** The options of `createScope`. */
export interface ScopeOptions extends Partial<Omit<Scope, 'parties' | 'requests'>> {
  /** The parties. A step selects a party with `by`. */
  readonly parties?: readonly Party[];
}

/**
 * Creates the scope for one case. By default, no values are bound, no requests are served, steps without `by` use the first party, time limits are not
 * scaled, and the case is never aborted.
 */
export function createScope(options: ScopeOptions = {}): Scope {
  const { parties = [], ...rest } = options;
  return {
    variables: new Variables(),
    defaultParty: parties[0]?.name ?? '',
    timeoutScale: 1,
    signal: new AbortController().signal,
    served: new Map(),
    answered: new Set(),
    ...rest,
    parties: new Map(parties.map((party) => [party.name, party])),
    requests: 0,
  };
}
