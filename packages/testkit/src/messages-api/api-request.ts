import { parseJson } from '@proto/core/framing';
/** The body of a `/v1/messages` request. */
export interface MessagesBody {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly { readonly role: string; readonly content: string | readonly object[] }[];
  readonly stream?: boolean;
  readonly system?: unknown;
  readonly tools?: readonly { readonly name: string; readonly [key: string]: unknown }[];
  readonly [key: string]: unknown;
}

/** A request for a message. */
export interface ApiRequest {
  /** Counts the requests from 1, in the order of their arrival. */
  readonly number: number;
  /** The headers, with names in lower case and without credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: MessagesBody;
  /** Aborts when the client leaves before the end of its answer. */
  readonly signal: AbortSignal;
}

const CREDENTIALS = new Set(['authorization', 'cookie', 'proxy-authorization', 'x-api-key']);

/** The headers without credentials, because a list of requests may end in a log. */
export function harmlessHeaders(headers: Headers): Readonly<Record<string, string>> {
  return Object.fromEntries([...headers].filter(([name]) => !CREDENTIALS.has(name)));
}

/** The JSON object in a body: undefined for any other body, `too-large` above the limit. */
export async function readObject(
  request: Request,
  maxBytes: number,
): Promise<Readonly<Record<string, unknown>> | 'too-large' | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    // Read to its end all the same: a client that is cut off while it sends does not read the reason.
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
