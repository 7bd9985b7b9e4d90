/** The work of a separate process, which prints the returned result. */
export type Case = (args: readonly string[]) => unknown;
