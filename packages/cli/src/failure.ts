import { SessionError } from '@proto/remote';
import { toConnectError, missingAgent } from '@proto/terminal/errors';
import { type ErrorReport, EXIT, messageFor } from '@proto/terminal/process';

/** Why a command has failed, and its exit code. */
export interface Failure extends ErrorReport {
  readonly exitCode: number;
  /** The text for people, where it differs from the message. */
  readonly text?: string;
}

/** Says why a command has failed: there is no such agent, a server refuses, or what the command line asks for is not possible. */
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
