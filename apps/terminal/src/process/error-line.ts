// This is a separate small file because every command loads it when it starts.
import { encodeLine } from '@proto/core/framing';

/** What went wrong, for programs. Match on `code`, which is stable, and not on `message`. */
export interface ErrorReport {
  /** The stable name of the error, such as `usage`. */
  readonly code: string;
  /** What happened, as a text for people. */
  readonly message: string;
  /** What the user should do, as a text for people. */
  readonly hint?: string | undefined;
  /** Whether another attempt may succeed. Default false. */
  readonly retryable?: boolean;
  /** More facts, whose members depend on `code`. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/** Writes an error as one line of JSON, for the stderr of a command whose stdout is for programs. */
export function errorLine({ code, message, hint, retryable = false, data }: ErrorReport): string {
  return encodeLine({ error: { code, message, hint, retryable, data } });
}
