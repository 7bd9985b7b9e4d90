import type { Session } from '../session-log.ts';

export interface Broken {
  /** What is wrong, as a sentence. */
  readonly message: string;
  /** The message that is wrong. */
  readonly got?: unknown;
}

/** A rule that applies to every session, whatever the case tests. */
export interface Rule {
  /** The name of the rule, such as `result/one-a-turn`. */
  readonly name: string;
  /** The id of the requirement that the rule checks. */
  readonly spec: string;
  /** Returns the first fault in a session that breaks the rule. */
  readonly check: (session: Session) => Broken | undefined;
}

export function firstOf<T>(items: Iterable<T>, check: (item: T) => Broken | undefined): Broken | undefined {
  for (const item of items) {
    const broken = check(item);
    if (broken !== undefined) return broken;
  }
  return undefined;
}
