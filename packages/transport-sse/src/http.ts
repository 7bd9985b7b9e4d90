/** A request for `Fetch`: redirects are not followed, and caches are not used. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  readonly redirect: 'manual';
  readonly cache: 'no-store';
}

/** Reads a body piece by piece, like the reader of a `ReadableStream`. */
export interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}

/** The part of a `Response` that the transport uses. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: { getReader(): BodyReader } | null;
}

/** Makes one request. The `fetch` of the platform fits. */
export type Fetch = (url: string, request: HttpRequest) => Promise<HttpResponse>;
