import { SessionError } from '@proto/remote';
import { toConnectError, missingAgent } from '@proto/terminal/errors';
import { type ErrorReport, EXIT, messageFor } from '@proto/terminal/process';

export interface Failure extends ErrorReport {
  readonly exitCode: number;
  /** The text for the user, if it differs from `message`. */
  readonly text?: string;
}

export function failureOf(error: unknown): Failure {
  const missing = missingAgent(error);
  if (missing !== undefined) return { exitCode: EXIT.unreachable, ...missing };
  if (error instanceof SessionError) {
    const { report, exitCode } = toConnectError(error);
    return { exitCode, ...report };
  }
  const { code = 'usage' } = error as NodeJS.ErrnoException;
  return { exitCode: EXIT.usage, code, message: messageFor(error as Error) };
}
