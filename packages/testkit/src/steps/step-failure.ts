/** The program under test did not do what a step expects. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure';
  /** The pattern or value that was expected. */
  readonly expected: unknown;
  /** What came in its place. */
  readonly got: unknown;

  constructor(message: string, details: { expected?: unknown; got?: unknown } = {}) {
    super(message);
    this.expected = details.expected;
    this.got = details.got;
  }
}
