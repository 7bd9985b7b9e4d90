import type { Observed } from '../observed.ts';

export interface Rule {
  readonly name: string;
  /** The id of the requirement that the rule checks. */
  readonly spec: string;
  /** Returns what is wrong, with one sentence for each fault. */
  readonly check: (observed: Observed) => Iterable<string>;
}

export function receivedBy(party: string): string {
  return `The party "${party}" received `;
}
