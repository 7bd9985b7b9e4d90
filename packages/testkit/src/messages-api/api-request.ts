import { parseJson } from '@proto/core/framing';
/** The body of a `/v1/messages` request. */
export interface MessagesBody {
  /** The name of the model. */
  readonly model: string;
  /** The maximum number of output tokens, at least 1. */
  readonly max_tokens: number;
  /** The conversation so far, which must contain at least one message. */
  readonly messages: readonly { readonly role: string; readonly content: string | readonly object[] }[];
  /** Whether the response is an event stream. Default false. */
  readonly stream?: boolean;
  /** The system prompt: a string, or a list of blocks. Not checked. */
  readonly system?: unknown;
  /** The tools that the model may call. Each name must be unique. */
  readonly tools?: readonly { readonly name: string; readonly [key: string]: unknown }[];
  /** Any further members, as the client sent them. */
  readonly [key: string]: unknown;
}

/** A request for a message. */
export interface ApiRequest {
  /** The number of the request, counted from 1 in the order of arrival. */
  readonly number: number;
  /** The headers, with names in lower case and without credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body. */
  readonly body: MessagesBody;
  /** Aborts when the client disconnects before the end of the response. */
  readonly signal: AbortSignal;
}

const CREDENTIALS = new Set(['authorization', 'cookie', 'proxy-authorization', 'x-api-key']);

/** Requests may be logged, so credentials are left out. */
export function harmlessHeaders(headers: Headers): Readonly<Record<string, string>> {
  return Object.fromEntries([...headers].filter(([name]) => !CREDENTIALS.has(name)));
}

/** Returns `too-large` if the body exceeds the limit, and `undefined` if the body is not a JSON object. */
export async function readObject(
  request: Request,
  maxBytes: number,
): Promise<Readonly<Record<string, unknown>> | 'too-large' | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    // The rest of the body is still read, because a client that is disconnected while sending would not read the error.
    if (bytes <= maxBytes) chunks.push(chunk);
  }
  if (bytes > maxBytes) return 'too-large';
  try {
    const value: unknown = parseJson(new TextDecoder().decode(Buffer.concat(chunks)));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
