/** A rule of every session that a host has broken. */
export interface BrokenRule {
  readonly rule: string;
  readonly spec: string;
  readonly message: string;
  readonly got?: unknown;
}
