/** Thrown if the program under test did not do what a step expects. */
export class StepFailure extends Error {
  /** Always `StepFailure`. */
  override readonly name = 'StepFailure';
  /** The pattern or value that was expected. */
  readonly expected: unknown;
  /** The value that was received instead. */
  readonly got: unknown;

  constructor(message: string, details: { expected?: unknown; got?: unknown } = {}) {
    super(message);
    this.expected = details.expected;
    this.got = details.got;
  }
}
