import { CodedError, isCoded } from './coded-error.ts';

/**
 * What can go wrong with a medium:
 * - `aborted`: this side gave up
 * - `closed`: used after its end
 * - `connect-failed`: no link ever came up
 * - `rejected`: the peer refuses for good
 * - `lost`: the link broke
 * - `timeout`: silence for longer than allowed
 * - `overflow`: a buffer reached its limit
 * - `too-large`: one message is above the limit
 * - `malformed`: not a message
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
  /** Exit code, close code or HTTP status. */
  readonly status?: number;
  /** Whether trying again can help. Default: true for `connect-failed`, `lost` and `timeout`. */
  readonly retryable?: boolean;
}

const NAME = 'TransportError';
const RETRYABLE: readonly TransportErrorCode[] = ['connect-failed', 'lost', 'timeout'];

/**
 * The medium failed. Match on `code`, never on `message`; the message holds no payload, header or token. A medium may have subclasses with
 * codes of its own, such as `agent-not-found` of `AgentNotFoundError` in `@proto/transport-stdio`.
 */
export class TransportError extends CodedError<TransportErrorCode | (string & {})> {
  readonly status: number | undefined;

  constructor(code: TransportErrorCode, message: string, options: TransportErrorOptions = {}) {
    super(NAME, code, message, { retryable: RETRYABLE.includes(code), ...options });
    this.status = options.status;
  }

  /** True for a `TransportError` of any copy of this package. */
  static is(value: unknown): value is TransportError {
    return isCoded(value, NAME);
  }

  /** Turns any thrown value into a `TransportError`. Any other value becomes the `cause` of an error with the given code. */
  static from(value: unknown, code: TransportErrorCode = 'lost'): TransportError {
    if (TransportError.is(value)) return value;
    // A thrown value that is no error may hold anything, so it is not shown.
    return new TransportError(code, value instanceof Error ? value.message : code, { cause: value });
  }
}

// A chain of causes that never ends must not hang the search.
const MAX_CAUSES = 100;

/** Returns the given error, or the first of its causes, that is a `TransportError` which `isWanted` accepts. Looks at 100 causes at most. */
export function findTransportError<Wanted extends TransportError>(
  error: unknown,
  isWanted: (candidate: TransportError) => boolean,
): Wanted | undefined {
  let candidate = error;
  for (let depth = 0; depth <= MAX_CAUSES; depth++) {
    if (TransportError.is(candidate) && isWanted(candidate)) return candidate as Wanted;
    if (!(candidate instanceof Error)) return undefined;
    candidate = candidate.cause;
  }
  return undefined;
}
