import type { AttemptReason, ClientOptions, Clock, Credential } from '@proto/core/reconnect';
import {
  askFor,
  type AttemptFailure,
  connectFailureOf,
  type RequestSecrets,
  retryAfterMs,
  type RetryMeaning,
  sleep,
  withDeadline,
  withoutSecrets,
} from '@proto/core/network';
import { TransportError, type TransportErrorCode } from '@proto/core/transport';
import { CredentialSource } from './credential.ts';
import type { BodyReader, Fetch, HttpRequest, HttpResponse } from './http.ts';
import { SessionAddress } from './session-address.ts';

/** The address and the credential of the requests. */
export interface RequestsOptions extends ClientOptions {
  /** The address of the session: `https://HOST/v1/code/sessions/ID`. Requests are sent to paths below this address, with the same query. */
  readonly url: ClientOptions['url'];
  /** Makes the requests. Default: the platform's `fetch`. `undiciFetch` of `@proto/transport-sse/node` is faster on Node and supports proxies. */
  readonly fetch?: Fetch;
}

/** The session that an attempt is sent to, and the credential of the attempt. */
export interface Recipient {
  readonly sessionId: string;
  readonly credential?: Credential | undefined;
  readonly epoch?: number;
}

export interface RequestOptions extends Pick<HttpRequest, 'method' | 'headers'> {
  /** The path below the address of the session. */
  readonly path: string;
  /** Query parameters in addition to the parameters of the address. */
  readonly query?: Readonly<Record<string, string>>;
  /** Called for each attempt. */
  readonly body?: (to: Recipient) => string | undefined | Promise<string | undefined>;
  readonly timeoutMs: number;
  readonly meaningOf: (status: number) => RetryMeaning;
  /** Why this attempt is made. Default `lost`. */
  readonly reason?: AttemptReason;
  /** Whether to get a new credential even if the current credential is valid. Default false. */
  readonly fresh?: boolean;
}

export class RequestFailed extends Error {
  readonly error: TransportError;
  readonly action: Exclude<RetryMeaning['action'], 'done'>;
  readonly retryAfterMs: number;
  /** The body has already been read. Undefined if the server did not answer. */
  readonly response: HttpResponse | undefined;

  constructor(error: TransportError, action: RequestFailed['action'], waitMs = 0, response?: HttpResponse) {
    super(error.message, { cause: error });
    this.error = error;
    this.action = action;
    this.retryAfterMs = waitMs;
    this.response = response;
  }

  get failure(): AttemptFailure {
    const { status, cause } = this.error;
    const isRefusal = connectFailureOf(cause)?.isRefusal === true;
    return { action: this.action, retryAfterMs: this.retryAfterMs, isAnswer: status !== undefined, isRefusal };
  }

  /** The error to report if no further attempt is made. */
  get rejection(): TransportError {
    const { status, message } = this.error;
    // The renewed credential was also refused.
    return this.action === 'refresh' ? new TransportError('rejected', message, { status: status ?? 401 }) : this.error;
  }
}

// If the rest of an answer is longer, a new connection is cheaper than reading the rest.
const MAX_ANSWER_BYTES = 64 * 1024;
const FINISH_MS = 1000;

export class Requests {
  readonly #options: RequestsOptions;
  readonly #clock: Clock;
  #address: SessionAddress | undefined;
  readonly credential: CredentialSource;

  constructor(options: RequestsOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.credential = new CredentialSource(options.credential, clock);
  }

  /**
   * Makes one attempt, and returns its answer if `meaningOf` returns `done` for its status.
   * @throws {RequestFailed} for any other answer. If the signal aborts, throws its reason.
   */
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

  /** Reads the rest of an answer, so that its connection can be reused, and returns the received bytes. Does not reject if the body is cut off. */
  async finish({ body }: HttpResponse, signal: AbortSignal): Promise<readonly Uint8Array[]> {
    const read: Uint8Array[] = [];
    const reader = body?.getReader();
    if (reader === undefined) return read;
    await sleep({ clock: this.#clock, ms: FINISH_MS, signal }, readToLimit(reader, read));
    // This has no effect on a body that has already ended.
    reader.cancel().catch(() => {});
    return read;
  }

  async #try(request: RequestOptions, signal: AbortSignal, made: Made): Promise<HttpResponse> {
    const { method, meaningOf, reason = 'lost', fresh = false } = request;
    const address = this.#addressOf(await askFor(this.#options.url, reason));
    const url = address.below(request.path, request.query);
    const { sessionId } = address;
    const own = await askFor(this.#options.headers, reason);
    const source = this.credential;
    const credential = await (fresh && reason !== 'refused' ? source.renew(reason) : source.current(reason));
    const { token } = credential ?? {};
    // This counts as another refusal, without asking the server, which would only refuse the same credential again.
    if (source.isRefused(token)) throw new RequestFailed(noOtherCredential(), 'refresh');
    const body = await request.body?.({ sessionId, credential });
    // The signal may have aborted during the calls above.
    signal.throwIfAborted();
    made.url = url;
    const headers = { ...own, ...request.headers, ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
    made.headers = headers;
    const rest = { method, headers, signal, redirect: 'manual', cache: 'no-store' } as const;
    const response = await this.#fetch(url, body === undefined ? rest : { ...rest, body });
    const { status } = response;
    const { action } = meaningOf(status);
    if (action === 'done') return withoutSecretsInErrors(response, made);
    const waitMs = retryAfterMs(response.headers.get('retry-after'), this.#clock.now());
    await this.finish(response, signal);
    if (action !== 'refresh') throw refusal(response, action, waitMs);
    if (!source.canRenew) throw refusal(response, 'permanent');
    source.refuse(token);
    throw refusal(response, 'refresh', waitMs);
  }

  #addressOf(session: string | URL | undefined): SessionAddress {
    const given = String(session);
    // Parsed again only if it has changed, because parsing takes longer than all other work on a request.
    if (this.#address?.given === given) return this.#address;
    try {
      return (this.#address = new SessionAddress(given));
    } catch (cause) {
      // The cause is left out, because other errors may quote the address.
      const text = TransportError.is(cause) ? cause.message : 'the address is not a URL';
      throw new RequestFailed(new TransportError('connect-failed', `sse: ${text}`, { retryable: false }), 'permanent');
    }
  }

  #fetch(url: string, request: HttpRequest): Promise<HttpResponse> {
    // The global `fetch` is looked up for each request, because a program may replace it. It is called without a receiver, as `fetch` requires.
    return this.#options.fetch === undefined ? fetch(url, request) : this.#options.fetch(url, request);
  }
}

/** The address and headers of a request, as far as they are known. Errors must not quote them. */
type Made = { -readonly [Name in keyof RequestSecrets]: RequestSecrets[Name] };

function withoutSecretsInErrors({ status, headers, body }: HttpResponse, made: Made): HttpResponse {
  const reading = (reader: BodyReader): BodyReader => ({
    read: () =>
      reader.read().catch((error: unknown) => {
        throw TransportError.is(error) ? error : withoutSecrets(error, made);
      }),
    cancel: () => reader.cancel(),
  });
  return { status, headers, body: body && { getReader: () => reading(body.getReader()) } };
}

async function readToLimit(reader: BodyReader, read: Uint8Array[]): Promise<void> {
  for (let bytes = 0; bytes <= MAX_ANSWER_BYTES; ) {
    const { done, value } = await reader.read();
    if (done) return;
    if (value !== undefined) read.push(value);
    bytes += value?.byteLength ?? 0;
  }
}

function noOtherCredential(): TransportError {
  return new TransportError('connect-failed', 'sse: the credential was refused, and no new credential is available', {
    status: 401,
  });
}

function refusal(response: HttpResponse, action: RequestFailed['action'], waitMs = 0): RequestFailed {
  const { status } = response;
  const code: TransportErrorCode = action === 'retry' || action === 'refresh' ? 'connect-failed' : 'rejected';
  const error = new TransportError(code, `sse: answered with status ${status}`, { status });
  return new RequestFailed(error, action, waitMs, response);
}
