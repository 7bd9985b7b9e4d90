import type { Observed } from '../observed.ts';

/** A rule that applies to every session, whatever the case tests. */
export interface Rule {
  readonly name: string;
  /** The id of the requirement that the rule checks. */
  readonly spec: string;
  /** Returns what is wrong, with one sentence for each fault. */
  readonly check: (observed: Observed) => Iterable<string>;
}

/** Returns a phrase that names a reader and what it received. */
export function receivedBy(party: string): string {
  return `The party "${party}" received `;
}
