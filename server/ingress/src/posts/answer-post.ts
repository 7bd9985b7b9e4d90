import type { ForwardTo } from '../forwarding/forwarding.ts';
import { SessionElsewhere } from '../forwarding/session-elsewhere.ts';
import type { Guard, GuardedRequest } from '../http/guard.ts';
import type { IngressContext } from '../http/ingress-context.ts';
import { postFromClient, postFromWorker } from './store-posts.ts';
import type { BodyRequest } from '../http/read-body.ts';
import { answerToError, draining, moving } from '../http/refusal.ts';
import { WorkerRequests } from '../http/worker-requests.ts';

/** A POST of messages, as a server reads it that makes no `Request`. */
export interface PostRequest extends GuardedRequest, BodyRequest {
  readonly from: 'client' | 'worker';
  readonly session: string;
  /** Sends the request on to another node, and its answer back. Fulfils with the status, or with undefined if that node cannot be reached. */
  readonly forward: (to: ForwardTo) => Promise<number | undefined>;
}

/** The answer to a POST, to be written as it is. */
export interface PostAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if another node has answered, and nothing is to be written. */
  readonly body: string | undefined;
}

/** The checks before a POST. */
export interface PostAnswersOptions {
  readonly guard: Guard;
  readonly isDraining: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** Creates the function that answers a POST of messages as the app does, in the same order of checks. It never rejects. */
export function createPostAnswers(context: IngressContext, { guard, isDraining, onError }: PostAnswersOptions) {
  const requests = new WorkerRequests(context);
  const { sessions, forwarding } = context;

  /** Sends a request on, if the reason is that another node has its session. Returns the status of its answer, or the reason of a refusal. */
  const sendOn = async (reason: unknown, request: PostRequest): Promise<number | { readonly reason: unknown }> => {
    if (!(reason instanceof SessionElsewhere) || forwarding === undefined) return { reason };
    try {
      return (await request.forward(forwarding.to(reason, request))) ?? { reason: moving() };
    } catch (refusal) {
      return { reason: refusal };
    }
  };

  return async (request: PostRequest): Promise<PostAnswer> => {
    let cors: Readonly<Record<string, string>> = {};
    try {
      ({ cors } = guard(request));
      if (isDraining()) throw draining();
      const { from, session } = request;
      const answer =
        from === 'worker'
          ? await postFromWorker(requests, request, session)
          : await postFromClient(context, request, session);
      if (!sessions.mayAnswerFor(session)) throw moving();
      const headers = { 'content-type': 'application/json', ...cors };
      return { status: 200, headers, body: JSON.stringify(answer) };
    } catch (error) {
      const sent = await sendOn(error, request);
      if (typeof sent === 'number') return { status: sent, headers: {}, body: undefined };
      const refused = answerToError(sent.reason, onError);
      return {
        status: refused.status,
        headers: { ...Object.fromEntries(refused.headers), ...cors },
        body: await refused.text(),
      };
    }
  };
}
