import { SessionError } from '@proto/remote';
import type { ErrorReport } from '../errors/error-line.ts';
import { EXIT } from '../run/exit-code.ts';

/** Why there is no session or no longer one, and the exit code for that. */
export class ConnectError extends Error {
  readonly exitCode: number;
  readonly report: ErrorReport;

  constructor(exitCode: number, report: ErrorReport) {
    super(report.message);
    this.exitCode = exitCode;
    this.report = report;
  }

  /** Creates the error of this program for an error of a session, of a transport or of a request. */
  static of(thrown: unknown): ConnectError {
    if (thrown instanceof ConnectError) return thrown;
    const { code, message, status, isPermanent, retryable } = SessionError.from(thrown);
    const data =
      isPermanent === undefined ? undefined : { ...(status !== undefined && { status }), permanent: isPermanent };
    const hint = code === 'not_found' ? 'check --session' : status === 401 ? 'check --token-file' : undefined;
    return new ConnectError(EXITS[code] ?? EXIT.failed, { code, message, hint, retryable, data });
  }
}

const EXITS: Readonly<Record<string, number>> = {
  auth_required: EXIT.auth,
  forbidden: EXIT.auth,
  not_found: EXIT.unreachable,
  refused: EXIT.unreachable,
  unreachable: EXIT.unreachable,
};
