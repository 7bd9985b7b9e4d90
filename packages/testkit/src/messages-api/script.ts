/** A content block of a complete message: `text`, `thinking`, `tool_use` or any other type. */
export interface ReplyBlock {
  /** The type of the block, such as `text` or `tool_use`. */
  readonly type: string;
  /** The other members of the block, such as `text`, or `name` and `input`. */
  readonly [key: string]: unknown;
}

/** An error in the format of the API. */
export interface ApiError {
  /** The type of the error, such as `overloaded_error`. */
  readonly type: string;
  /** The text of the error. */
  readonly message: string;
}

/**
 * One step of a message. A string is a piece of text. Consecutive strings form one block, with a delta for each string. `wait` delays the next step
 * until the promise fulfils. `error` ends the stream with an error event. `cut` breaks the connection.
 */
export type ReplyStep =
  | string
  | ReplyBlock
  | { readonly wait: PromiseLike<unknown> }
  | { readonly error: ApiError }
  | { readonly cut: true };

/** A reply that answers the request with a message. */
export interface MessageReply {
  /** The steps of the message, in order. */
  readonly content: readonly ReplyStep[];
  /** The stop reason. Default: `tool_use` if the message contains a `tool_use` block, otherwise `end_turn`. */
  readonly stop_reason?: string;
  /** The sequence that ended the message. Default: `null` on the wire. */
  readonly stop_sequence?: string;
  /** Usage members that replace the estimated values. */
  readonly usage?: Readonly<Record<string, unknown>>;
}

/** A reply that refuses the request. */
export interface ErrorReply {
  /** The HTTP status of the response, such as 529. */
  readonly status: number;
  /** Members of the error. Default: the API's error type for the status. */
  readonly error?: Partial<ApiError>;
  /** Additional response headers. If `retry-after-ms` is 1, clients that know this header retry immediately. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The reply to one request. A string is a message with this text. */
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

export function errorOf({ status, error }: ErrorReply): ApiError {
  const type = ERROR_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  return { type, message: `scripted ${status}`, ...error };
}

/** Returns the HTTP status of an error, or 500 for an unknown type. */
export function statusOf({ type }: ApiError): number {
  const known = Object.entries(ERROR_TYPES).find(([, name]) => name === type);
  return known === undefined ? 500 : Number(known[0]);
}
