/** The streams to which a command writes, such as `process`. */
export interface CommandIo {
  /** Receives the results, and the reports that are not written to a file. */
  readonly stdout: { write(text: string): unknown };
  /** Receives the error messages. */
  readonly stderr: { write(text: string): unknown };
}
