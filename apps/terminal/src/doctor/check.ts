/** What a check found: `ok`, something worth knowing (`note`), a problem (`failed`), or nothing, because an earlier step failed (`skipped`). */
export type CheckStatus = 'ok' | 'note' | 'failed' | 'skipped';

/** The result of one check of the doctor. */
export interface Check {
  /** The name of the check, such as `token`. */
  readonly name: string;
  /** The outcome. Only `failed` makes the report negative. */
  readonly status: CheckStatus;
  /** What was found, in one line without secrets. */
  readonly found: string;
  /** The stable name of the problem, such as `clock-off`; absent unless the check failed. */
  readonly problem?: string;
  /** What the user should do; absent if there is nothing to do. */
  readonly advice?: string;
}

/** Creates a check that found nothing wrong. */
export function fine(name: string, found: string): Check {
  return { name, status: 'ok', found };
}

/** Creates a check that found something worth knowing. */
export function noted(name: string, found: string, advice?: string): Check {
  return { name, status: 'note', found, ...(advice !== undefined && { advice }) };
}

/** Creates a check that found something wrong. */
export function failed(name: string, problem: string, found: string, advice: string): Check {
  return { name, status: 'failed', found, problem, advice };
}

/** Creates a check that was not performed. */
export function skipped(name: string, why: string): Check {
  return { name, status: 'skipped', found: why };
}

/** Returns the time since `from` as a string, such as `12 ms`. */
export function milliseconds(from: number): string {
  return `${Math.max(1, Math.round(performance.now() - from))} ms`;
}
