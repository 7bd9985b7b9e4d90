/** A content block of a complete message: `text`, `thinking`, `tool_use` or any other type. */
export interface ReplyBlock {
  /** The type of the block, such as `text` or `tool_use`. */
  readonly type: string;
  /** The further members of the block, such as `text`, or `name` and `input`. */
  readonly [key: string]: unknown;
}

/** An error in the form of the API. */
export interface ApiError {
  /** The type of the error, such as `overloaded_error`. */
  readonly type: string;
  /** The text of the error. */
  readonly message: string;
}

/**
 * One step of a message. A string is a piece of text; consecutive strings make up one block, with a delta for each. `wait` delays the next step
 * until the promise fulfils. `error` ends the stream with an error event. `cut` breaks the connection.
 */
export type ReplyStep =
  | string
  | ReplyBlock
  | { readonly wait: PromiseLike<unknown> }
  | { readonly error: ApiError }
  | { readonly cut: true };

/** A request that is answered with a message. */
export interface MessageReply {
  /** The steps of the message, in order. */
  readonly content: readonly ReplyStep[];
  /** Default: `tool_use` for a message with a block of that type, else `end_turn`. */
  readonly stop_reason?: string;
  /** The sequence that ended the message. Default: `null` on the wire. */
  readonly stop_sequence?: string;
  /** Members of the usage that replace the estimates. */
  readonly usage?: Readonly<Record<string, unknown>>;
}

/** A request that is refused. */
export interface ErrorReply {
  /** The HTTP status of the answer, such as 529. */
  readonly status: number;
  /** Members of the error. Default: the error type of the API for the status. */
  readonly error?: Partial<ApiError>;
  /** Additional headers of the answer. With `retry-after-ms: 1`, clients that know this header try again at once. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer to one request. A string is a message with that text. */
export type Reply = string | MessageReply | ErrorReply;

/** The error types that the API documents for its status codes. */
const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** Returns the complete error of a refused request. */
export function errorOf({ status, error }: ErrorReply): ApiError {
  const type = ERROR_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  return { type, message: `scripted ${status}`, ...error };
}

/** Returns the HTTP status of an error; 500 for an unknown type. */
export function statusOf({ type }: ApiError): number {
  const known = Object.entries(ERROR_TYPES).find(([, name]) => name === type);
  return known === undefined ? 500 : Number(known[0]);
}
