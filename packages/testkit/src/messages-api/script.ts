/** A content block as it stands in a whole message: `text`, `thinking`, `tool_use` or any other type. */
export interface ReplyBlock {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** What goes wrong, as the API tells it. */
export interface ApiError {
  /** Such as `overloaded_error`. */
  readonly type: string;
  readonly message: string;
}

/**
 * One step of a message. A string is a piece of text: those that follow each other make up one block, a delta each. The others
 * happen between the pieces: `wait` holds back what follows until the promise fulfils, `error` ends the stream with an error event,
 * `cut` breaks the connection.
 */
export type ReplyStep =
  | string
  | ReplyBlock
  | { readonly wait: PromiseLike<unknown> }
  | { readonly error: ApiError }
  | { readonly cut: true };

/** A request that is answered with a message. */
export interface MessageReply {
  readonly content: readonly ReplyStep[];
  /** Default `tool_use` where a block of that type is, else `end_turn`. */
  readonly stop_reason?: string;
  readonly stop_sequence?: string;
  /** Members of the usage that are not to be estimated from the length. */
  readonly usage?: Readonly<Record<string, unknown>>;
}

/** A request that is refused. */
export interface ErrorReply {
  readonly status: number;
  /** Default the error that the API has for the status. */
  readonly error?: Partial<ApiError>;
  /** `retry-after-ms: 1` lets clients that heed it try again at once. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What one request is answered with; a string is a message of that text. */
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

/** The error of a refused request, whole. */
export function errorOf({ status, error }: ErrorReply): ApiError {
  const type = ERROR_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  return { type, message: `scripted ${status}`, ...error };
}

/** The status a request is refused with when the error is known before anything was answered. */
export function statusOf({ type }: ApiError): number {
  const known = Object.entries(ERROR_TYPES).find(([, name]) => name === type);
  return known === undefined ? 500 : Number(known[0]);
}
