export interface BrokenRule {
  readonly rule: string;
  readonly spec: string;
  readonly message: string;
  readonly got?: unknown;
}
