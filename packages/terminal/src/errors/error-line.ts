import { encodeLine } from '@proto/core/framing';

/** What went wrong, for programs. `code` is stable; nobody needs to match on `message`. */
export interface ErrorReport {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  /** Whether the same may work when it is tried again. Default false. */
  readonly retryable?: boolean;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/** An error as the one line of JSON that is written on stderr where stdout is for programs. */
export function errorLine({ code, message, hint, retryable = false, data }: ErrorReport): string {
  return encodeLine({ error: { code, message, hint, retryable, data } });
}
