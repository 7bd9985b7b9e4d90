import type { Writable } from 'node:stream';

/** Where `cliError` writes, and how it exits. Default: this process. */
export interface ExitOptions {
  readonly stderr?: Pick<Writable, 'write'>;
  readonly exit?: (code: number) => void;
}

/** Writes a message to stderr and exits with 1. Use it only where no output waits to be written: it does not drain stdout. */
export function cliError(message?: string, options: ExitOptions = {}): never {
  const { stderr = process.stderr, exit = (status: number) => process.exit(status) } = options;
  if (message !== undefined) stderr.write(`${message}\n`);
  exit(1);
  // Only an `exit` of a test returns. The caller's `return cliError(…)` then ends its function.
  return undefined as never;
}
