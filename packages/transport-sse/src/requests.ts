import {
  askFor,
  type AttemptReason,
  type ClientOptions,
  type Clock,
  connectFailureOf,
  type Failure,
  parseAddress,
  type RequestSecrets,
  type RetryAction,
  retryAfterMs,
  type RetryMeaning,
  sleep,
  withDeadline,
  withoutSecrets,
} from '@proto/core/internal';
import { type Credential, TransportError, type TransportErrorCode } from '@proto/core/transport';
import { CredentialSource } from './credential.ts';
import type { BodyReader, Fetch, HttpRequest, HttpResponse } from './http.ts';

/** Where requests go, and as whom. */
export interface RequestsOptions extends ClientOptions {
  /** The session: `https://HOST/v1/code/sessions/ID`. What is asked for is below that path; a query stays. */
  readonly url: ClientOptions['url'];
  /** Default: that of the platform. `@proto/transport-sse/node` has one that keeps its connections. */
  readonly fetch?: Fetch;
}

/** Whom an attempt speaks to, and as whom. */
export interface Recipient {
  /** The session that the address names. */
  readonly sessionId: string;
  readonly credential?: Credential | undefined;
  /** Of a worker: the number of its attachment. */
  readonly epoch?: number;
}

/** One request. */
export interface RequestOptions extends Pick<HttpRequest, 'method' | 'headers'> {
  /** Below the address of the session. */
  readonly path: string;
  /** Beside what the address has of its own. */
  readonly query?: Readonly<Record<string, string>>;
  /** Made for each attempt. */
  readonly body?: (to: Recipient) => string | undefined | Promise<string | undefined>;
  readonly timeoutMs: number;
  /** Says what the status of the answer means. */
  readonly meaningOf: (status: number) => RetryMeaning;
  /** Why this attempt is made. Default `lost`. */
  readonly reason?: AttemptReason;
  /** Asks for a credential even when there is a good one. */
  readonly fresh?: boolean;
}

/** Why a request did not work, and what to do about it. */
export class RequestFailed extends Error {
  readonly error: TransportError;
  readonly action: Exclude<RetryAction, 'done'>;
  readonly retryAfterMs: number;
  /** What was answered, if anything; it has been read. */
  readonly response: HttpResponse | undefined;

  constructor(error: TransportError, action: RequestFailed['action'], waitMs = 0, response?: HttpResponse) {
    super(error.message, { cause: error });
    this.error = error;
    this.action = action;
    this.retryAfterMs = waitMs;
    this.response = response;
  }

  /** What a retry loop decides by. */
  get failure(): Failure {
    const { status, cause } = this.error;
    const isRefusal = connectFailureOf(cause)?.isRefusal === true;
    return { action: this.action, retryAfterMs: this.retryAfterMs, isAnswer: status !== undefined, isRefusal };
  }

  /** The error where no further attempt is made, because no attempt can work. */
  get rejection(): TransportError {
    const { status, message } = this.error;
    // A credential that was renewed and refused again.
    return this.action === 'refresh' ? new TransportError('rejected', message, { status: status ?? 401 }) : this.error;
  }
}

// What is left of an answer is not worth more than a new connection.
const MAX_ANSWER_BYTES = 64 * 1024;
const FINISH_MS = 1000;

/** Makes the requests of one transport. */
export class Requests {
  readonly #options: RequestsOptions;
  readonly #clock: Clock;
  /** What the requests are made with. */
  readonly credential: CredentialSource;

  constructor(options: RequestsOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.credential = new CredentialSource(options.credential, clock);
  }

  /** Makes one attempt, and gives its answer where that means `done`. Rejects with a `RequestFailed`, or the reason of the signal. */
  async open(request: RequestOptions, signal: AbortSignal): Promise<HttpResponse> {
    const limits = { clock: this.#clock, ms: request.timeoutMs, signal };
    const made: Made = {};
    try {
      return await withDeadline(this.#try(request, signal, made), limits, () => {
        throw new TransportError('timeout', 'sse: no answer in time');
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RequestFailed) throw error;
      if (TransportError.is(error)) throw new RequestFailed(error, error.retryable ? 'retry' : 'permanent');
      const cause = withoutSecrets(error, made);
      const why = connectFailureOf(cause);
      const text = why === undefined ? 'the request failed' : `the request failed: ${why.text}`;
      throw new RequestFailed(new TransportError('connect-failed', `sse: ${text}`, { cause }), 'retry');
    }
  }

  /** Reads what is left of an answer, so that its connection can be used again, and gives what came. How it ends changes nothing. */
  async finish({ body }: HttpResponse, signal: AbortSignal): Promise<readonly Uint8Array[]> {
    const read: Uint8Array[] = [];
    const reader = body?.getReader();
    if (reader === undefined) return read;
    await sleep({ clock: this.#clock, ms: FINISH_MS, signal }, readToEnd(reader, read));
    // One that has ended does not notice.
    reader.cancel().catch(() => {});
    return read;
  }

  async #try(request: RequestOptions, signal: AbortSignal, made: Made): Promise<HttpResponse> {
    const { method, meaningOf, reason = 'lost', fresh = false } = request;
    const { url, sessionId } = below(await askFor(this.#options.url, reason), request);
    const own = await askFor(this.#options.headers, reason);
    const source = this.credential;
    const credential = await (fresh && reason !== 'refused' ? source.renew(reason) : source.current(reason));
    const { token } = credential ?? {};
    const body = await request.body?.({ sessionId, credential });
    // Whoever waited for all that may be gone.
    signal.throwIfAborted();
    made.url = url;
    const headers = { ...own, ...request.headers, ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
    made.headers = headers;
    const rest = { method, headers, signal, redirect: 'manual', cache: 'no-store' } as const;
    const response = await this.#fetch(url, body === undefined ? rest : { ...rest, body });
    const { status } = response;
    const { action } = meaningOf(status);
    if (action === 'done') return readable(response, made);
    const waitMs = retryAfterMs(response.headers.get('retry-after'), this.#clock.now());
    await this.finish(response, signal);
    if (action !== 'refresh') throw refusal(response, action, waitMs);
    if (!source.canRenew) throw refusal(response, 'permanent');
    source.refuse(token);
    throw refusal(response, 'refresh', waitMs);
  }

  #fetch(url: string, request: HttpRequest): Promise<HttpResponse> {
    // Looked up when it is needed: it may be replaced, and it wants no receiver.
    return this.#options.fetch === undefined ? fetch(url, request) : this.#options.fetch(url, request);
  }
}

/** What a request was made with, as far as it got. */
type Made = { -readonly [Name in keyof RequestSecrets]: RequestSecrets[Name] };

/** The answer, whose reader tells nothing of the request when it fails. */
function readable({ status, headers, body }: HttpResponse, made: Made): HttpResponse {
  const reading = (reader: BodyReader): BodyReader => ({
    read: () =>
      reader.read().catch((error: unknown) => {
        throw TransportError.is(error) ? error : withoutSecrets(error, made);
      }),
    cancel: () => reader.cancel(),
  });
  return { status, headers, body: body && { getReader: () => reading(body.getReader()) } };
}

/** A long answer is not worth its connection. */
async function readToEnd(reader: BodyReader, read: Uint8Array[]): Promise<void> {
  for (let bytes = 0; bytes <= MAX_ANSWER_BYTES; ) {
    const { done, value } = await reader.read();
    if (done) return;
    if (value !== undefined) read.push(value);
    bytes += value?.byteLength ?? 0;
  }
}

/** The address below that of a session, whose id is the last part of its path. */
function below(
  session: string | URL | undefined,
  { path, query = {} }: Pick<RequestOptions, 'path' | 'query'>,
): { readonly url: string; readonly sessionId: string } {
  try {
    const url = parseAddress(String(session));
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const base = url.pathname.replace(/\/+$/, '');
    const sessionId = decodeURIComponent(base.slice(base.lastIndexOf('/') + 1));
    url.pathname = `${base}${path}`;
    return { url: url.href, sessionId };
  } catch (cause) {
    // Of other errors none, as they hold the address.
    const text = TransportError.is(cause) ? cause.message : 'the address is no URL';
    throw new RequestFailed(new TransportError('connect-failed', `sse: ${text}`, { retryable: false }), 'permanent');
  }
}

function refusal(response: HttpResponse, action: RequestFailed['action'], waitMs = 0): RequestFailed {
  const { status } = response;
  const code: TransportErrorCode = action === 'retry' || action === 'refresh' ? 'connect-failed' : 'rejected';
  const error = new TransportError(code, `sse: answered with status ${status}`, { status });
  return new RequestFailed(error, action, waitMs, response);
}
