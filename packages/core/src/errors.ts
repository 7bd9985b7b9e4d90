import { CodedError, findError, isCoded, messageOf } from './transport/coded-error.ts';

/** A problem in a value, and the path to the problem. */
export interface Issue {
  /** The path to the problem: names of members and indexes of items, from the value inwards. Empty for the value itself. */
  readonly path: readonly PropertyKey[];
  /** Describes in words what is wrong at this path. */
  readonly message: string;
}

/** Formats an issue as text: the path, unless it is empty, and what is wrong at this path. */
export function issueText({ path, message }: Issue): string {
  return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;
}

/**
 * How a peer broke the rules of the protocol:
 * - `invalid-message`: a message of the wrong shape
 * - `unexpected-response`: an answer to a request that was never sent
 * - `duplicate-response`: a second answer to one request
 * - `unsupported-request`: a request of a kind that this side does not serve
 */
export type ProtocolErrorCode =
  | 'invalid-message'
  | 'unexpected-response'
  | 'duplicate-response'
  | 'unsupported-request';

/** The details of a `ProtocolError`. */
export interface ProtocolErrorOptions {
  readonly issues?: readonly Issue[];
  readonly cause?: unknown;
}

const PROTOCOL_ERROR = 'ProtocolError';
const CONTROL_ERROR = 'ControlError';

/**
 * Thrown if the peer broke the rules of the protocol. Compare the `code` to distinguish errors. `issues` lists what is wrong and at which path. The
 * texts contain no payloads.
 */
export class ProtocolError extends CodedError<ProtocolErrorCode> {
  /** What is wrong in the message. Empty if the error does not come from a check. */
  readonly issues: readonly Issue[];

  constructor(code: ProtocolErrorCode, message: string, options: ProtocolErrorOptions = {}) {
    super(PROTOCOL_ERROR, code, message, options);
    this.issues = options.issues ?? [];
  }

  /** True for a `ProtocolError` from any copy of this package. */
  static is(value: unknown): value is ProtocolError {
    return isCoded(value, PROTOCOL_ERROR);
  }

  /** Returns the first `ProtocolError` among the given error and its chain of causes. Checks at most 100 causes. */
  static find(error: unknown): ProtocolError | undefined {
    return findError(error, ProtocolError.is);
  }
}

/**
 * Turns any thrown value into a `ProtocolError`. A `ProtocolError` is returned unchanged. Any other value becomes the `cause` of an error with the
 * code `invalid-message`.
 */
export function toProtocolError(value: unknown): ProtocolError {
  return ProtocolError.is(value) ? value : new ProtocolError('invalid-message', messageOf(value), { cause: value });
}

/** The details of a `ControlError`. */
export interface ControlErrorOptions {
  readonly requestId?: string;
  readonly subtype?: string;
  /** The machine-readable `error_code` of recent agents. */
  readonly code?: string;
  readonly cause?: unknown;
}

/**
 * Thrown if the peer answered a control request with an error. `message` is the text of the answer. If a request handler throws a `ControlError`, the
 * request is answered with the text of this error, and with its `code` as `error_code`.
 */
export class ControlError extends CodedError<string> {
  // `code` is the `error_code` of the answer, or `error` in an answer without a code.
  /** The `request_id` of the request that failed. Undefined if the error was not created from an answer. */
  readonly requestId: string | undefined;
  /** The subtype of the request that failed. Undefined if the error was not created from an answer. */
  readonly subtype: string | undefined;

  constructor(message: string, options: ControlErrorOptions = {}) {
    super(CONTROL_ERROR, options.code ?? 'error', message, options);
    this.requestId = options.requestId;
    this.subtype = options.subtype;
  }

  /** True for a `ControlError` from any copy of this package. */
  static is(value: unknown): value is ControlError {
    return isCoded(value, CONTROL_ERROR);
  }

  /** Returns the first `ControlError` among the given error and its chain of causes. Checks at most 100 causes. */
  static find(error: unknown): ControlError | undefined {
    return findError(error, ControlError.is);
  }
}

/** Only the text of the value is kept. */
export function toControlError(value: unknown): ControlError {
  return ControlError.is(value) ? value : new ControlError(messageOf(value), { cause: value });
}
