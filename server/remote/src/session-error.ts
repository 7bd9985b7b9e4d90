import { toTransportError } from '@proto/core/network';
import { findError, type TransportError } from '@proto/core/transport';

/**
 * What went wrong with a session: `auth_required` (the token is missing or wrong), `forbidden` (the token does not allow the request), `not_found`
 * (the session does not exist), `refused` (any other answer from the server) or `unreachable` (no answer). For any other error, the code is the code
 * of the failed transport.
 */
export type SessionErrorCode =
  | 'auth_required'
  | 'forbidden'
  | 'not_found'
  | 'refused'
  | 'unreachable'
  | TransportError['code'];

/** What is known in addition to the code and the message. */
interface SessionErrorDetails extends ErrorOptions {
  /** The status of the answer, or the close code of the WebSocket. Default: unknown. */
  readonly status?: number | undefined;
  /** Whether the same call may succeed later. Default false. */
  readonly retryable?: boolean | undefined;
  /** Whether the server will give the same answer again. Default: unknown. */
  readonly isPermanent?: boolean | undefined;
}

/** Thrown if a session cannot be opened, and created from the error that ended a session. */
export class SessionError extends Error {
  /** The name of this class, for logs. */
  override readonly name = 'SessionError';
  /** What went wrong, for programs. */
  readonly code: SessionErrorCode;
  /** The status of the answer, or the close code of the WebSocket, if it shows what went wrong. */
  readonly status: number | undefined;
  /** Whether the same call may succeed later. Default false. */
  readonly retryable: boolean;
  /** Whether the server will give the same answer again; undefined if that is not known. */
  readonly isPermanent: boolean | undefined;

  constructor(code: SessionErrorCode, message: string, details: SessionErrorDetails = {}) {
    super(message, details);
    this.code = code;
    this.status = details.status;
    this.retryable = details.retryable ?? false;
    this.isPermanent = details.isPermanent;
  }

  /** True for a `SessionError`. */
  static is(value: unknown): value is SessionError {
    return value instanceof SessionError;
  }

  /** Returns the given error, or the first of its causes, that is a `SessionError`. Looks at 100 causes at most. */
  static find(error: unknown): SessionError | undefined {
    return findError(error, SessionError.is);
  }
}

/** Creates the error for an unsuccessful answer from the server. `said` is the message in the body of the answer. */
export function sessionErrorOfStatus(status: number, said = ''): SessionError {
  const message = `the server answered with status ${status}${said === '' ? '' : `: ${said}`}`;
  const known = CODES[status];
  const retryable = known === undefined && status >= 500;
  return new SessionError(known ?? 'refused', message, { status, isPermanent: status < 500, retryable });
}

/** Returns a `SessionError` unchanged, and creates a `SessionError` for any other error, such as the error that ended a transport. */
export function toSessionError(thrown: unknown): SessionError {
  if (SessionError.is(thrown)) return thrown;
  const { message, status, retryable, code } = toTransportError(thrown, 'connect-failed');
  // Larger numbers are WebSocket close codes. Their messages explain what they mean.
  if (status !== undefined && status < 600) return sessionErrorOfStatus(status);
  if (status === 4001) return new SessionError('not_found', message, { status, isPermanent: true });
  if (status === 4003 || status === 4094) return new SessionError('auth_required', message);
  const isMedium = ['connect-failed', 'lost', 'timeout', 'rejected'].includes(code);
  return new SessionError(isMedium ? 'unreachable' : code, message, { retryable, isPermanent: true });
}

const CODES: Readonly<Record<number, SessionErrorCode>> = { 401: 'auth_required', 403: 'forbidden', 404: 'not_found' };
