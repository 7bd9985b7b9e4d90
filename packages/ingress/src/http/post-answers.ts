import type { Guard, GuardedRequest } from './guard.ts';
import type { IngressContext } from './ingress-context.ts';
import { postFromClient, postFromWorker } from './posts.ts';
import type { BodyRequest } from './read-body.ts';
import { answerToError, draining } from './refusal.ts';
import { WorkerRequests } from './worker-requests.ts';

/** A POST of messages, as a server reads it that makes no `Request`. */
export interface PostRequest extends GuardedRequest, BodyRequest {
  readonly from: 'client' | 'worker';
  readonly session: string;
}

/** The answer to a POST, to be written as it is. */
export interface PostAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
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
      const headers = { 'content-type': 'application/json', ...cors };
      return { status: 200, headers, body: JSON.stringify(answer) };
    } catch (error) {
      const refused = answerToError(error, onError);
      return {
        status: refused.status,
        headers: { ...Object.fromEntries(refused.headers), ...cors },
        body: await refused.text(),
      };
    }
  };
}
