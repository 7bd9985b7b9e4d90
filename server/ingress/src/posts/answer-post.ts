import type { ForwardTo } from '../forwarding/forwarding.ts';
import { sendOn } from '../forwarding/send-on.ts';
import { NotOwner } from '../forwarding/not-owner.ts';
import { type Guard, type GuardedRequest, SAFE_HEADERS } from '../http/guard.ts';
import type { IngressContext } from '../http/ingress-context.ts';
import type { BodyRequest } from '../http/read-body.ts';
import { answerToError, draining, moving } from '../http/refusal.ts';
import { WorkerRequests } from '../http/worker-requests.ts';
import { postFromBareWorker, postFromClient, postFromWorker } from './store-posts.ts';

/** The addresses to which messages are posted, for each kind of sender. A bare worker reads over a WebSocket and posts messages without envelopes. */
export const POST_ROUTES = {
  client: '/v1/code/sessions/:id/events',
  worker: '/v1/code/sessions/:id/worker/events',
  'bare-worker': '/v1/session_ingress/session/:id/events',
} as const;

/** A POST of messages, from any kind of server: a web `Request`, or a Node request that was read without creating a `Request`. */
export interface PostRequest extends GuardedRequest, BodyRequest {
  readonly from: keyof typeof POST_ROUTES;
  readonly session: string;
  /** The path of the URL, as the client sent it. */
  readonly path: string;
  /** See `IngressBindings.isOwn`. */
  readonly isOwn?: boolean | undefined;
  /**
   * Forwards the request to another node, and that node's answer to the client. Fulfils with the status, or with undefined if that node cannot be
   * reached.
   */
  readonly forward: (to: ForwardTo) => Promise<number | undefined>;
}

/** The answer to a POST, which must be written unchanged. */
export interface PostAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if another node has answered and nothing must be written. */
  readonly body: string | undefined;
}

/** Answers a POST of messages. Never rejects. */
export type AnswerPost = (request: PostRequest) => Promise<PostAnswer>;

export interface AnswerPostOptions {
  readonly guard: Guard;
  readonly isDraining: () => boolean;
  readonly onError: (error: unknown) => void;
}

/**
 * Creates the function that answers every POST of messages. The function works in the same order as all routes: first the guard, then the sender's
 * rights, then the body. A request for another node's session is forwarded before its body is read.
 */
export function createAnswerPost(
  context: IngressContext,
  { guard, isDraining, onError }: AnswerPostOptions,
): AnswerPost {
  const requests = new WorkerRequests(context);
  const { sessions } = context;

  const store = (request: PostRequest) => {
    const { from, session } = request;
    if (from === 'client') return postFromClient(context, request, session);
    return (from === 'worker' ? postFromWorker : postFromBareWorker)(requests, request, session);
  };

  /** Forwards a request if it failed because another node owns its session. Returns the status of the answer, or why the request is refused. */
  const sentOn = async (reason: unknown, request: PostRequest): Promise<number | { readonly refusal: unknown }> => {
    if (!(reason instanceof NotOwner)) return { refusal: reason };
    try {
      return (await sendOn(context, reason, request, request.forward)) ?? { refusal: moving() };
    } catch (refusal) {
      return { refusal };
    }
  };

  return async (request) => {
    let cors: Readonly<Record<string, string>> = {};
    try {
      ({ cors } = guard(request));
      if (isDraining()) throw draining();
      const answer = await store(request);
      if (!sessions.mayAnswerFor(request.session)) throw moving();
      const headers = { 'content-type': 'application/json', ...SAFE_HEADERS, ...cors };
      return { status: 200, headers, body: JSON.stringify(answer) };
    } catch (error) {
      const sent = await sentOn(error, request);
      if (typeof sent === 'number') return { status: sent, headers: {}, body: undefined };
      const refused = answerToError(sent.refusal, onError);
      const headers = { ...Object.fromEntries(refused.headers), ...SAFE_HEADERS, ...cors };
      return { status: refused.status, headers, body: await refused.text() };
    }
  };
}
