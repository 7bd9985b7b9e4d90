import { CodedError, isCoded, messageOf } from './transport/coded-error.ts';

/** Where in a value something is wrong, and what. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** An issue in words: the place, where it is not the value itself, and what is wrong there. */
export function issueText({ path, message }: Issue): string {
  return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;
}

/**
 * How a peer can break the rules: a message of the wrong shape, an answer nobody waits for, a second answer to one request,
 * a request of a kind this side does not serve.
 */
export type ProtocolErrorCode =
  | 'invalid-message'
  | 'unexpected-response'
  | 'duplicate-response'
  | 'unsupported-request';

/** What a `ProtocolError` is made of. */
export interface ProtocolErrorOptions {
  readonly issues?: readonly Issue[];
  readonly cause?: unknown;
}

const PROTOCOL_ERROR = 'ProtocolError';
const CONTROL_ERROR = 'ControlError';

/** The peer broke the rules of the protocol. */
export class ProtocolError extends CodedError<ProtocolErrorCode> {
  readonly issues: readonly Issue[];

  constructor(code: ProtocolErrorCode, message: string, options: ProtocolErrorOptions = {}) {
    super(PROTOCOL_ERROR, code, message, options);
    this.issues = options.issues ?? [];
  }

  static is(value: unknown): value is ProtocolError {
    return isCoded(value, PROTOCOL_ERROR);
  }

  /** Turns whatever was thrown into a `ProtocolError`: itself if it is one, else `invalid-message` with it as `cause`. */
  static from(value: unknown): ProtocolError {
    return ProtocolError.is(value) ? value : new ProtocolError('invalid-message', messageOf(value), { cause: value });
  }
}

/** Which request failed, with which code, and why. */
export interface ControlErrorOptions {
  readonly requestId?: string;
  readonly subtype?: string;
  /** The machine-readable `error_code` of recent agents. */
  readonly code?: string;
  readonly cause?: unknown;
}

/**
 * A control request was answered with an error; `message` is the text of the answer. Thrown by a request handler it becomes
 * such an answer, with its `code` as `error_code`.
 */
export class ControlError extends CodedError<string> {
  // `code` is the answer's `error_code`, or `error` where it has none.
  readonly requestId: string | undefined;
  readonly subtype: string | undefined;

  constructor(message: string, options: ControlErrorOptions = {}) {
    super(CONTROL_ERROR, options.code ?? 'error', message, options);
    this.requestId = options.requestId;
    this.subtype = options.subtype;
  }

  static is(value: unknown): value is ControlError {
    return isCoded(value, CONTROL_ERROR);
  }

  /** Turns whatever a handler threw into the error to answer with; its own text is kept, nothing else. */
  static from(value: unknown): ControlError {
    return ControlError.is(value) ? value : new ControlError(messageOf(value), { cause: value });
  }
}
