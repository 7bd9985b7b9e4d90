/** What a process of its own does, and the result it prints. */
export type Case = (args: readonly string[]) => unknown;
