import type { Session } from '../session-log.ts';

/** What breaks a rule. */
export interface Broken {
  /** What is wrong, as a sentence. */
  readonly message: string;
  /** The message that is wrong. */
  readonly got?: unknown;
}

/** Something that holds in every session, whatever the case tests. */
export interface Rule {
  /** Such as `result/one-a-turn`. */
  readonly name: string;
  /** The requirement. */
  readonly spec: string;
  /** The first thing in a session that breaks the rule. */
  readonly check: (session: Session) => Broken | undefined;
}

/** The first thing among several that is wrong. */
export function firstOf<T>(items: Iterable<T>, check: (item: T) => Broken | undefined): Broken | undefined {
  for (const item of items) {
    const broken = check(item);
    if (broken !== undefined) return broken;
  }
  return undefined;
}
