/** The streams that a command writes to. `process` is one. */
export interface CommandIo {
  /** Gets the results, and the reports without a file. */
  readonly stdout: { write(text: string): unknown };
  /** Gets the errors. */
  readonly stderr: { write(text: string): unknown };
}
