import { Variables } from '../match/variables.ts';
import type { Inbox } from './inbox.ts';

/** One end of a connection that the steps hold: it sends messages, and its inbox has what the program under test has sent. */
export interface Party {
  readonly name: string;
  readonly inbox: Inbox;
  /**
   * Sends a text as it is.
   *
   * @throws if nothing can be sent any more.
   */
  sendText(text: string): Promise<void> | void;
  /** Sends a message. Default: as a line of NDJSON. */
  send?(message: unknown): Promise<void> | void;
}

/** The default of how long a step waits: 10 000 ms. */
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

/** The options of `createScope`. */
export interface ScopeOptions extends Partial<Omit<Scope, 'parties' | 'requests'>> {
  /** The parties. A step names one in `by`. */
  readonly parties?: readonly Party[];
}

/**
 * Creates the scope of one case. By default nothing is bound and nothing is served, steps without `by` belong to the first party, time limits hold
 * as they are written, and the case is never given up.
 */
export function createScope(options: ScopeOptions = {}): Scope {
  const { parties = [], ...rest } = options;
  return {
    variables: new Variables(),
    defaultParty: parties[0]?.name ?? '',
    timeoutScale: 1,
    signal: new AbortController().signal,
    served: new Map(),
    ...rest,
    parties: new Map(parties.map((party) => [party.name, party])),
    requests: 0,
  };
}
