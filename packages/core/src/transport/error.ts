import { CodedError, findError, isCoded } from './coded-error.ts';

/**
 * How a medium failed:
 * - `aborted`: this side aborted
 * - `closed`: the transport was used after its end
 * - `connect-failed`: no link ever came up
 * - `rejected`: the peer refuses permanently
 * - `lost`: the link broke
 * - `timeout`: nothing arrived for longer than allowed
 * - `overflow`: a buffer reached its limit
 * - `too-large`: one message exceeds the limit
 * - `malformed`: a line is not a message
 */
export type TransportErrorCode =
  | 'aborted'
  | 'closed'
  | 'connect-failed'
  | 'rejected'
  | 'lost'
  | 'timeout'
  | 'overflow'
  | 'too-large'
  | 'malformed';

/** The details of a `TransportError`. */
export interface TransportErrorOptions {
  readonly cause?: unknown;
  /** The exit code, close code or HTTP status. */
  readonly status?: number;
  /** Whether trying again can help. Default: true for `connect-failed`, `lost` and `timeout`. */
  readonly retryable?: boolean;
}

const NAME = 'TransportError';
const RETRYABLE: readonly TransportErrorCode[] = ['connect-failed', 'lost', 'timeout'];

/**
 * Thrown if the medium failed. Compare the `code`, never the `message`. The message contains no payload, header or token. A medium may have
 * subclasses with further codes, such as `agent-not-found` of `AgentNotFoundError` in `@proto/transport-stdio`.
 */
export class TransportError extends CodedError<TransportErrorCode | (string & {})> {
  /** The exit code, close code or HTTP status of the medium. Undefined if the medium reported none of these. */
  readonly status: number | undefined;

  constructor(code: TransportErrorCode, message: string, options: TransportErrorOptions = {}) {
    super(NAME, code, message, { retryable: RETRYABLE.includes(code), ...options });
    this.status = options.status;
  }

  /** True for a `TransportError` from any copy of this package. */
  static is(value: unknown): value is TransportError {
    return isCoded(value, NAME);
  }

  /** Returns the first `TransportError` among the given error and its chain of causes. Checks at most 100 causes. */
  static find(error: unknown): TransportError | undefined {
    return findError(error, TransportError.is);
  }
}

/**
 * Turns any thrown value into a `TransportError`. A `TransportError` is returned unchanged. Any other value becomes the `cause` of an error with the
 * given code. Default code: `lost`.
 */
export function toTransportError(value: unknown, code: TransportErrorCode = 'lost'): TransportError {
  if (TransportError.is(value)) return value;
  // A thrown value that is not an `Error` may contain anything, so it is not shown.
  return new TransportError(code, value instanceof Error ? value.message : code, { cause: value });
}
