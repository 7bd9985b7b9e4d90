/** Where in a value something is wrong, and what. */
export interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
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

export interface ProtocolErrorOptions {
  readonly issues?: readonly Issue[];
  readonly cause?: unknown;
}

// Symbols of the registry, because `instanceof` fails across two copies of this package.
const PROTOCOL_ERROR = Symbol.for('@proto/core.ProtocolError');
const CONTROL_ERROR = Symbol.for('@proto/core.ControlError');

/** The peer broke the rules of the protocol. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: ProtocolErrorCode;
  readonly retryable = false;
  readonly issues: readonly Issue[];

  constructor(code: ProtocolErrorCode, message: string, options: ProtocolErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.issues = options.issues ?? [];
    Object.defineProperty(this, PROTOCOL_ERROR, { value: true });
  }

  static is(value: unknown): value is ProtocolError {
    return value instanceof Error && Object.hasOwn(value, PROTOCOL_ERROR);
  }

  /** Turns whatever was thrown into a `ProtocolError`: itself if it is one, else `invalid-message` with it as `cause`. */
  static from(value: unknown): ProtocolError {
    if (ProtocolError.is(value)) return value;
    return new ProtocolError('invalid-message', value instanceof Error ? value.message : String(value), {
      cause: value,
    });
  }
}

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
export class ControlError extends Error {
  override readonly name = 'ControlError';
  /** The answer's `error_code`, or `error` where it has none. */
  readonly code: string;
  readonly retryable = false;
  readonly requestId: string | undefined;
  readonly subtype: string | undefined;

  constructor(message: string, options: ControlErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = options.code ?? 'error';
    this.requestId = options.requestId;
    this.subtype = options.subtype;
    Object.defineProperty(this, CONTROL_ERROR, { value: true });
  }

  static is(value: unknown): value is ControlError {
    return value instanceof Error && Object.hasOwn(value, CONTROL_ERROR);
  }

  /** Turns whatever a handler threw into the error to answer with; its own text is kept, nothing else. */
  static from(value: unknown): ControlError {
    if (ControlError.is(value)) return value;
    return new ControlError(value instanceof Error ? value.message : String(value), { cause: value });
  }
}
