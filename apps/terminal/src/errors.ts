import { findError } from '@proto/core/transport';
import { SessionError, toSessionError } from '@proto/remote';
import { AgentNotFoundError } from '@proto/transport-stdio';
import { errorLine, type ErrorReport } from './process/error-line.ts';
import { EXIT } from './process/exit-code.ts';
import { messageFor } from './process/file-reason.ts';
import type { RunFormat } from './view/outputs.ts';

/** Returns the text for people and the report for programs if the program of an agent does not exist; undefined for any other error. */
export function missingAgent(error: unknown): (ErrorReport & { readonly text: string }) | undefined {
  const missing = AgentNotFoundError.find(error);
  if (missing === undefined) return undefined;
  const { code, hint, searched } = missing;
  const message = missing.message.replace(/^stdio: /, '');
  const places = searched.length > 1 ? ` (--json lists the ${searched.length} places that were searched)` : '';
  return { code, message, hint, data: { searched }, text: `${message}${places}` };
}

/** Returns an error as text without a line end: for people, after the name of the command, or as one line of JSON if the output is for programs. */
export function failureText(error: unknown, format: RunFormat, command: string): string {
  const { message, code = 'error', retryable = false } = error as Error & { code?: string; retryable?: boolean };
  const missing = missingAgent(error);
  if (format !== 'json' && format !== 'ndjson') return `${command}: ${missing?.text ?? message}`;
  return errorLine(missing ?? { code, message, retryable }).trimEnd();
}

/** Thrown if a client cannot open its session or has lost it. The error contains the exit code for this case. */
export class ConnectError extends Error {
  /** The exit code of a command that ends with this error; see `EXIT`. */
  readonly exitCode: number;
  /** The error in the form for programs. */
  readonly report: ErrorReport;

  constructor(exitCode: number, report: ErrorReport) {
    super(report.message);
    this.exitCode = exitCode;
    this.report = report;
  }

  /** True for a `ConnectError`. */
  static is(value: unknown): value is ConnectError {
    return value instanceof ConnectError;
  }

  /** Returns the given error, or the first of its causes, that is a `ConnectError`. Looks at 100 causes at most. */
  static find(error: unknown): ConnectError | undefined {
    return findError(error, ConnectError.is);
  }
}

/** Returns a `ConnectError` unchanged, and creates a `ConnectError` for an error of a session, of a transport or of a request. */
export function toConnectError(thrown: unknown): ConnectError {
  if (ConnectError.is(thrown)) return thrown;
  const { code, message, status, isPermanent, retryable } = toSessionError(thrown);
  const data =
    isPermanent === undefined ? undefined : { ...(status !== undefined && { status }), permanent: isPermanent };
  const hint = code === 'not_found' ? 'check --session' : status === 401 ? 'check --token-file' : undefined;
  return new ConnectError(EXITS[code] ?? EXIT.failed, { code, message, hint, retryable, data });
}

/** Why a command ends before its work has begun, and its exit code. */
export interface Failure extends ErrorReport {
  /** The exit code of the command; see `EXIT`. */
  readonly exitCode: number;
  /** The text for the user, if it differs from `message`. */
  readonly text?: string;
}

/** Describes an error of the start of an agent, of a session, or of the arguments of the user. */
export function failureOf(error: unknown): Failure {
  const missing = missingAgent(error);
  if (missing !== undefined) return { exitCode: EXIT.unreachable, ...missing };
  if (error instanceof SessionError) {
    const { report, exitCode } = toConnectError(error);
    return { exitCode, ...report };
  }
  const { code = 'usage' } = error as Error & { code?: string };
  return { exitCode: EXIT.usage, code, message: messageFor(error as Error) };
}

const EXITS: Readonly<Record<string, number>> = {
  auth_required: EXIT.auth,
  forbidden: EXIT.auth,
  not_found: EXIT.unreachable,
  refused: EXIT.unreachable,
  unreachable: EXIT.unreachable,
};
