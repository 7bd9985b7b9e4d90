/** A rule that applies to every session and that a host has broken. */
export interface BrokenRule {
  readonly rule: string;
  readonly spec: string;
  readonly message: string;
  readonly got?: unknown;
}
