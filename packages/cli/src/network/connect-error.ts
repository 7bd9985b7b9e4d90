import { TransportError } from '@proto/core/transport';
import type { ErrorReport } from '../error-line.ts';
import { EXIT } from '../run/exit-code.ts';

/** Why there is no session, or no longer, and the exit code that says so. */
export class ConnectError extends Error {
  readonly exitCode: number;
  readonly report: ErrorReport;

  constructor(exitCode: number, report: ErrorReport) {
    super(report.message);
    this.exitCode = exitCode;
    this.report = report;
  }

  /** What an answer of the server means that is no success; `said` is what it says of itself. */
  static ofStatus(status: number, said = ''): ConnectError {
    const message = `the server answered with ${status}${said === '' ? '' : `: ${said}`}`;
    const data = { status, permanent: status < 500 };
    if (status === 401) {
      return new ConnectError(EXIT.auth, { code: 'auth_required', message, hint: 'check --token-file', data });
    }
    if (status === 403) return new ConnectError(EXIT.auth, { code: 'forbidden', message, data });
    if (status === 404) {
      return new ConnectError(EXIT.unreachable, { code: 'not_found', message, hint: 'check --session', data });
    }
    return new ConnectError(EXIT.unreachable, { code: 'refused', message, retryable: status >= 500, data });
  }

  /** What the end of a transport means, or an error of a request. */
  static of(thrown: unknown): ConnectError {
    if (thrown instanceof ConnectError) return thrown;
    const { message, status, retryable, code } = TransportError.from(thrown, 'connect-failed');
    // Above are the close codes of WebSockets, whose message says what they mean.
    if (status !== undefined && status < 600) return ConnectError.ofStatus(status);
    if (status === 4001) {
      const data = { status, permanent: true };
      return new ConnectError(EXIT.unreachable, { code: 'not_found', message, hint: 'check --session', data });
    }
    if (status === 4003 || status === 4094) return new ConnectError(EXIT.auth, { code: 'auth_required', message });
    const isMedium = ['connect-failed', 'lost', 'timeout', 'rejected'].includes(code);
    return new ConnectError(isMedium ? EXIT.unreachable : EXIT.failed, {
      code: isMedium ? 'unreachable' : code,
      message,
      retryable,
      data: { permanent: true },
    });
  }
}
