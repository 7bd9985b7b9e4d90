import type { OutputWatch } from './output/write.ts';

export const FAILED = 1;

/** The exit codes after signals, as in published agents: 128 plus the number of the signal, but 0 after an interrupt. */
export const SIGNAL_CODES = { SIGINT: 0, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Returns 0 if the reader of the output has disconnected.
 *
 * @throws the error that broke the output, if the reader has not disconnected
 */
export function exitCodeOf(code: number, output: OutputWatch): number {
  if (output.isUnread) return 0;
  if (output.broken !== undefined) throw output.broken;
  return code;
}

/** Writes a message to stderr and exits with 1. Do not call this function while output is waiting to be written, because stdout is not drained. */
export function cliError(message?: string): never {
  if (message !== undefined) process.stderr.write(`${message}\n`);
  process.exit(FAILED);
  // `process.exit` returns only if it is a stub. In this case, `return cliError(…)` ends the calling function.
  return undefined as never;
}
