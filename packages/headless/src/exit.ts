import type { Writable } from 'node:stream';

/** Where the exit helpers write, and how they exit. Default: this process. */
export interface ExitOptions {
  readonly stdout?: Pick<Writable, 'write'>;
  readonly stderr?: Pick<Writable, 'write'>;
  readonly exit?: (code: number) => void;
}

/** Exits with 1, and writes the message to stderr. For use where no other output waits. */
export function cliError(message?: string, options: ExitOptions = {}): never {
  const { stderr = process.stderr } = options;
  return leave(stderr, message, 1, options);
}

/** Exits with 0, and writes the message to stdout. For use where no other output waits. */
export function cliOk(message?: string, options: ExitOptions = {}): never {
  const { stdout = process.stdout } = options;
  return leave(stdout, message, 0, options);
}

function leave(
  stream: Pick<Writable, 'write'>,
  message: string | undefined,
  code: number,
  options: ExitOptions,
): never {
  const { exit = (status: number) => process.exit(status) } = options;
  if (message !== undefined) stream.write(`${message}\n`);
  exit(code);
  // Only the exit of a test returns; then the caller's `return cliError(…)` ends its function.
  return undefined as never;
}
