import { type ApiRequest, harmlessHeaders, type MessagesBody, readObject } from './api-request.ts';
import { problemOf } from './check-request.ts';
import { aborted, eventStream, messageEvents, wholeMessage } from './message-events.ts';
import { type ErrorReply, errorOf, type MessageReply, type Reply, statusOf } from './script.ts';

/** In bytes: 32 MB, as in the real API. */
const DEFAULT_MAX_REQUEST_BYTES = 32_000_000;
/** Further requests are refused, to stop an agent in an endless loop. */
const DEFAULT_MAX_REQUESTS = 1000;

/**
 * The replies in the order of the requests, or a function that returns the reply to each request. A request without a reply is refused with
 * status 400, so that clients do not retry.
 */
export type MessagesScript =
  | readonly Reply[]
  | ((request: ApiRequest) => Reply | undefined | Promise<Reply | undefined>);

/** The limits of a scripted Messages API. */
export interface MessagesApiOptions {
  /** Requests larger than this are refused with status 413. Default 32 000 000 bytes. */
  readonly maxRequestBytes?: number;
  /** The number of requests after which all further requests are refused with status 400. Default 1000. */
  readonly maxRequests?: number;
}

/** A Messages API that follows a script. */
export interface MessagesApi {
  /** Answers one HTTP request. Rejects like `fetch` when the request is aborted, and when the script cuts the connection. */
  fetch(request: Request): Promise<Response>;
  /** The requests for messages so far, including refused requests. */
  readonly requests: readonly ApiRequest[];
  /** Fulfils with the request with this number, counted from 1, when it has arrived. */
  requested(number: number): Promise<ApiRequest>;
}

/**
 * Creates an API for testing agents without a model or a key. The API answers `POST /v1/messages` according to the script, with or without streaming,
 * and refuses requests that the real API refuses, such as a tool call without a result. It also answers `/v1/messages/count_tokens` and `/v1/models`.
 */
export function createMessagesApi(script: MessagesScript, options: MessagesApiOptions = {}): MessagesApi {
  const api = new ScriptedApi(script, options);
  return {
    fetch: (request) => api.answer(request),
    requests: api.requests,
    requested: (number) => api.requested(number),
  };
}

class ScriptedApi {
  readonly requests: ApiRequest[] = [];
  readonly #replyTo: (request: ApiRequest) => Reply | undefined | Promise<Reply | undefined>;
  readonly #maxRequestBytes: number;
  readonly #maxRequests: number;
  readonly #awaited: { readonly number: number; readonly resolve: (request: ApiRequest) => void }[] = [];
  #responses = 0;
  #toolUses = 0;

  constructor(script: MessagesScript, options: MessagesApiOptions) {
    const { maxRequestBytes = DEFAULT_MAX_REQUEST_BYTES, maxRequests = DEFAULT_MAX_REQUESTS } = options;
    this.#replyTo = typeof script === 'function' ? script : ({ number }) => script[number - 1];
    this.#maxRequestBytes = maxRequestBytes;
    this.#maxRequests = maxRequests;
  }

  requested(number: number): Promise<ApiRequest> {
    const here = this.requests[number - 1];
    return here ? Promise.resolve(here) : new Promise((resolve) => this.#awaited.push({ number, resolve }));
  }

  async answer(request: Request): Promise<Response> {
    const id = `req_scripted_${++this.#responses}`;
    const { pathname } = new URL(request.url);
    const route = `${request.method} ${pathname}`;
    if (route === 'HEAD /' || route === 'GET /') return json({ status: 'ok' }, id);
    if (route === 'GET /v1/models') return json({ data: MODELS, has_more: false, first_id: null, last_id: null }, id);
    if (route.startsWith('GET /v1/models/')) return json(modelOf(decodeURIComponent(pathname.slice(11))), id);
    if (!/^POST \/v1\/messages(\/count_tokens)?$/.test(route)) {
      return refusal({ status: 404, error: { message: `the script has no reply for ${route}` } }, id);
    }
    const body = await readObject(request, this.#maxRequestBytes);
    if (body === 'too-large') return refusal({ status: 413 }, id);
    if (body === undefined) return refusal({ status: 400, error: { message: 'the body is not a JSON object' } }, id);
    if (pathname.endsWith('count_tokens')) return json({ input_tokens: tokensOf(body) }, id);
    return await this.#respond(request, body, id);
  }

  async #respond(request: Request, body: Readonly<Record<string, unknown>>, id: string): Promise<Response> {
    const problem = problemOf(body, request.headers);
    const bad = (message: string) => refusal({ status: 400, error: { message } }, id);
    if (this.requests.length >= this.#maxRequests)
      return bad(`the agent has sent more than ${this.#maxRequests} requests`);
    const { asked, lost } = this.#record(request, body as MessagesBody);
    if (problem !== undefined) return bad(problem);
    let reply: Reply | undefined;
    try {
      reply = await this.#replyTo(asked);
    } catch (error) {
      return bad(`the script failed: ${String(error)}`);
    }
    if (reply === undefined) return bad(`the script has no reply to request ${asked.number}`);
    if (typeof reply === 'object' && 'status' in reply) return refusal(reply, id);
    const message: MessageReply = typeof reply === 'string' ? { content: [reply] } : reply;
    const toolUseId = () => `toolu_scripted_${++this.#toolUses}`;
    const head = { id: `msg_scripted_${asked.number}`, model: body['model'], inputTokens: tokensOf(body), toolUseId };
    const events = messageEvents(message, head);
    if (body['stream'] === true) return new Response(eventStream(events, asked.signal, lost), { headers: stream(id) });
    const whole = await Promise.race([wholeMessage(events), aborted(asked.signal)]);
    if (whole === undefined) throw asked.signal.reason;
    return 'error' in whole ? refusal({ status: statusOf(whole.error), ...whole }, id) : json(whole.message, id);
  }

  #record(request: Request, body: MessagesBody): { asked: ApiRequest; lost: (reason: unknown) => void } {
    const gone = new AbortController();
    request.signal.addEventListener('abort', () => gone.abort(request.signal.reason), { once: true });
    const headers = harmlessHeaders(request.headers);
    const asked = { number: this.requests.length + 1, headers, body, signal: gone.signal };
    this.requests.push(asked);
    for (const { number, resolve } of this.#awaited) if (number === asked.number) resolve(asked);
    return { asked, lost: (reason) => gone.abort(reason) };
  }
}

const MODELS = ['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-5-5'].map(modelOf);

function modelOf(id: string): object {
  return { type: 'model', id, display_name: id, created_at: '2026-01-01T00:00:00Z' };
}

/** Estimates the number of tokens as one token for every four characters, which is reproducible. */
function tokensOf({ system = '', messages = [], tools = [] }: Readonly<Record<string, unknown>>): number {
  return Math.ceil(JSON.stringify([system, messages, tools]).length / 4);
}

function stream(id: string): Record<string, string> {
  return { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', 'request-id': id };
}

function json(value: unknown, id: string): Response {
  return Response.json(value, { headers: { 'request-id': id } });
}

function refusal(reply: ErrorReply, id: string): Response {
  const { status, headers } = reply;
  const body = { type: 'error', error: errorOf(reply), request_id: id };
  return Response.json(body, { status, headers: { 'request-id': id, ...headers } });
}
