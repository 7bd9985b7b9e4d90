/** A request for `Fetch`: redirects are not followed, and caches are not used. */
export interface HttpRequest {
  /** The HTTP request method. */
  readonly method: 'GET' | 'POST' | 'PUT';
  /** The headers by name, including `Authorization` if there is a credential. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text. Absent if the request has no body. */
  readonly body?: string;
  /** Aborts the request, even while its answer is being read. */
  readonly signal: AbortSignal;
  /** Always `manual`. A redirect is not followed, so that the credential is not sent to another address. */
  readonly redirect: 'manual';
  /** Always `no-store`, because no cache may answer the request. */
  readonly cache: 'no-store';
}

/** Reads a body piece by piece, like the reader of a `ReadableStream`. */
export interface BodyReader {
  /** Returns the next piece. `done` is `true` after the last piece. Rejects if the body is cut off. */
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  /** Ends the body early and releases its connection. */
  cancel(reason?: unknown): Promise<void>;
}

/** The part of a `Response` that the transport uses. */
export interface HttpResponse {
  /** The HTTP status. */
  readonly status: number;
  /** The headers of the answer. `get` ignores the case of the name, and returns `null` for an absent header. */
  readonly headers: { get(name: string): string | null };
  /** The body. `null` for an answer without a body. */
  readonly body: { getReader(): BodyReader } | null;
}

/** A function that makes one request, such as the platform's `fetch`. */
export type Fetch = (url: string, request: HttpRequest) => Promise<HttpResponse>;
