import type { Observed } from '../observed.ts';

/** A rule that holds in every session, whatever the case tests. */
export interface Rule {
  readonly name: string;
  /** The requirement that is broken. */
  readonly spec: string;
  /** What is wrong, one sentence each. */
  readonly check: (observed: Observed) => Iterable<string>;
}

/** The name of a reader and of what it has received, for a sentence. */
export function receivedBy(party: string): string {
  return `What "${party}" received: `;
}
