import { encodeLine } from '@proto/core/framing';
import { failedResult } from '@proto/core/internal';
import type { FinalOutput, HeadlessOptions } from '@proto/headless';

/**
 * Why a shim cannot stand in for an agent. `unsupported-option`: a command-line option does not work with an agent that runs elsewhere.
 * `no-conversation`: there is nothing to resume. `unreadable-file`: a file that an option names cannot be read.
 */
export type ShimErrorCode = 'unsupported-option' | 'no-conversation' | 'unreadable-file';

/** Thrown if a shim cannot stand in for an agent. Server errors are thrown as `SessionError` of `@proto/remote`. */
export class ShimError extends Error {
  /** The name of this class, for logs. */
  override readonly name = 'ShimError';
  /** Why the shim cannot stand in, for programs. */
  readonly code: ShimErrorCode;

  constructor(code: ShimErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Returns what an agent executable writes when it cannot start: a failed result for a host that reads messages, and the reason for stderr. */
export function failureOutput(error: Error, { outputFormat, sessionId }: HeadlessOptions): FinalOutput {
  // Hosts show the text of a result. If a process dies without a result, they show its exit code.
  const result = failedResult(error.message, sessionId ?? '');
  return { stdout: outputFormat === 'stream-json' ? encodeLine(result) : '', stderr: `${error.message}\n`, code: 1 };
}
