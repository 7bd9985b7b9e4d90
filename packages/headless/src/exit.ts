import type { Writable } from 'node:stream';

/** Where the exit helpers write, and how they leave; default this process. */
export interface ExitOptions {
  readonly stdout?: Pick<Writable, 'write'>;
  readonly stderr?: Pick<Writable, 'write'>;
  readonly exit?: (code: number) => void;
}

/** Leaves a command with 1, the message on stderr. For use where nothing is left to drain. */
export function cliError(message?: string, options: ExitOptions = {}): never {
  const { stderr = process.stderr } = options;
  return leave(stderr, message, 1, options);
}

/** Leaves a command with 0, the message on stdout. For use where nothing is left to drain. */
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
  // Only a stubbed exit comes back; the caller's `return cliError(…)` then ends its function.
  return undefined as never;
}
