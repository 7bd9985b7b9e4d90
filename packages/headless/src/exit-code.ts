import type { OutputWatch } from './output/write.ts';

/** The exit code after an error result, bad input or a bad command line. */
export const FAILED = 1;

/** The exit codes after signals, as published agents use them: 128 plus the number of the signal, but 0 after an interrupt. */
export const SIGNAL_CODES = { SIGINT: 0, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Returns the exit code of a session that ended with `code`: 0 if the reader of the output has gone.
 * @throws the error that broke the output, if the reader is still there.
 */
export function exitCodeOf(code: number, output: OutputWatch): number {
  if (output.isUnread) return 0;
  if (output.broken !== undefined) throw output.broken;
  return code;
}

/** Writes a message to stderr and exits with 1. Use it only where no output waits to be written: it does not drain stdout. */
export function cliError(message?: string): never {
  if (message !== undefined) process.stderr.write(`${message}\n`);
  process.exit(FAILED);
  // Only a stub of `process.exit` returns. The caller's `return cliError(…)` then ends its function.
  return undefined as never;
}
