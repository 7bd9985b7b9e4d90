import { type ApiRequest, harmlessHeaders, type MessagesBody, readObject } from './api-request.ts';
import { problemOf } from './check-request.ts';
import { aborted, eventStream } from './event-stream.ts';
import { messageEvents } from './message-events.ts';
import { type ErrorReply, errorOf, type MessageReply, type Reply, statusOf } from './script.ts';
import { wholeMessage } from './whole-message.ts';

/** What the API itself takes. */
export const DEFAULT_MAX_REQUEST_BYTES = 32_000_000;
/** An agent that goes round in circles is stopped by a refusal. */
export const DEFAULT_MAX_REQUESTS = 1000;

/**
 * The replies in the order of the requests, or the reply to each request. What has no reply is refused with a 400, which clients
 * do not try again.
 */
export type MessagesScript =
  | readonly Reply[]
  | ((request: ApiRequest) => Reply | undefined | Promise<Reply | undefined>);

/** Limits of a scripted Messages API. */
export interface MessagesApiOptions {
  /** Larger requests are refused with 413. Default 32 MB. */
  readonly maxRequestBytes?: number;
  /** Further requests are refused with 400. Default 1000. */
  readonly maxRequests?: number;
}

/** A Messages API that says what a script tells it to. */
export interface MessagesApi {
  /** Answers one HTTP request, or rejects as `fetch` does: when it is aborted, and when the script cuts the connection. */
  fetch(request: Request): Promise<Response>;
  /** The requests for messages so far, those that were refused as well. */
  readonly requests: readonly ApiRequest[];
  /** Fulfils with the request of that number, from 1, once it has come. */
  requested(number: number): Promise<ApiRequest>;
}

/**
 * An API to test agents against, without a model or a key: answers `POST /v1/messages`, streamed or not, as the script says, and
 * refuses what the real API refuses, such as a tool call without its result. `/v1/messages/count_tokens` and `/v1/models` are
 * there for clients that ask.
 */
export function createMessagesApi(script: MessagesScript, options: MessagesApiOptions = {}): MessagesApi {
  const { maxRequestBytes = DEFAULT_MAX_REQUEST_BYTES, maxRequests = DEFAULT_MAX_REQUESTS } = options;
  const requests: ApiRequest[] = [];
  const awaited: { number: number; resolve: (request: ApiRequest) => void }[] = [];
  let responses = 0;
  let toolUses = 0;
  const replyTo = typeof script === 'function' ? script : ({ number }: ApiRequest) => script[number - 1];
  const toolUseId = () => `toolu_scripted_${++toolUses}`;

  async function answer(request: Request, id: string): Promise<Response> {
    const { pathname } = new URL(request.url);
    const route = `${request.method} ${pathname}`;
    if (route === 'HEAD /' || route === 'GET /') return json({ status: 'ok' }, id);
    if (route === 'GET /v1/models') return json({ data: MODELS, has_more: false, first_id: null, last_id: null }, id);
    if (route.startsWith('GET /v1/models/')) return json(modelOf(decodeURIComponent(pathname.slice(11))), id);
    if (!/^POST \/v1\/messages(\/count_tokens)?$/.test(route)) {
      return refusal({ status: 404, error: { message: `${route} is not scripted` } }, id);
    }
    const body = await readObject(request, maxRequestBytes);
    if (body === 'too-large') return refusal({ status: 413 }, id);
    if (body === undefined) return refusal({ status: 400, error: { message: 'the body is no JSON object' } }, id);
    if (pathname.endsWith('count_tokens')) return json({ input_tokens: tokensOf(body) }, id);
    return await respond(request, body, id);
  }

  async function respond(request: Request, body: Readonly<Record<string, unknown>>, id: string): Promise<Response> {
    const problem = problemOf(body, request.headers);
    const bad = (message: string) => refusal({ status: 400, error: { message } }, id);
    if (requests.length >= maxRequests) return bad(`more than ${maxRequests} requests`);
    const { asked, lost } = record(request, body as MessagesBody);
    if (problem !== undefined) return bad(problem);
    let reply: Reply | undefined;
    try {
      reply = await replyTo(asked);
    } catch (error) {
      return bad(`the script failed: ${String(error)}`);
    }
    if (reply === undefined) return bad(`the script has no reply to request ${asked.number}`);
    if (typeof reply === 'object' && 'status' in reply) return refusal(reply, id);
    const message: MessageReply = typeof reply === 'string' ? { content: [reply] } : reply;
    const head = { id: `msg_scripted_${asked.number}`, model: body['model'], inputTokens: tokensOf(body), toolUseId };
    const events = messageEvents(message, head);
    if (body['stream'] === true) return new Response(eventStream(events, asked.signal, lost), { headers: stream(id) });
    const whole = await Promise.race([wholeMessage(events), aborted(asked.signal)]);
    if (whole === undefined) throw asked.signal.reason;
    return 'error' in whole ? refusal({ status: statusOf(whole.error), ...whole }, id) : json(whole.message, id);
  }

  function record(request: Request, body: MessagesBody): { asked: ApiRequest; lost: (reason: unknown) => void } {
    const gone = new AbortController();
    request.signal.addEventListener('abort', () => gone.abort(request.signal.reason), { once: true });
    const headers = harmlessHeaders(request.headers);
    const asked = { number: requests.length + 1, headers, body, signal: gone.signal };
    requests.push(asked);
    for (const { number, resolve } of awaited) if (number === asked.number) resolve(asked);
    return { asked, lost: (reason) => gone.abort(reason) };
  }

  return {
    fetch: (request) => answer(request, `req_scripted_${++responses}`),
    requests,
    requested(number) {
      const here = requests[number - 1];
      return here ? Promise.resolve(here) : new Promise((resolve) => awaited.push({ number, resolve }));
    },
  };
}

const MODELS = ['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-5-5'].map(modelOf);

function modelOf(id: string): object {
  return { type: 'model', id, display_name: id, created_at: '2026-01-01T00:00:00Z' };
}

/** A token for four characters: an estimate that is the same each time. */
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
