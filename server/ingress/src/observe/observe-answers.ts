import { parseJson } from '@proto/core/framing';
import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { ElsewhereResponse } from '../forwarding/elsewhere-response.ts';
import type { HonoTypes } from '../http/ingress-context.ts';
import { type AnswerPost, POST_ROUTES } from '../posts/answer-post.ts';
import { refusalOf } from '../http/refusal.ts';
import type { IngressObserver } from './observer.ts';

/** Reports each of the app's answers to the observer. */
export function observeApp(observer: IngressObserver): MiddlewareHandler<HonoTypes> {
  return async (c, next) => {
    const begun = performance.now();
    await next();
    const route = routePath(c, -1);
    observer.answered?.({
      method: c.req.method,
      // If no route was found, this is the pattern of this handler itself.
      route: route.includes('*') ? 'other' : route.replace(/(.)\/$/, '$1'),
      path: c.req.path,
      status: c.res.status,
      ms: performance.now() - begun,
      // An error of another node is reported to that node's observer.
      error: c.get('isForwarded') === true ? undefined : c.error && refusalOf(c.error).type,
    });
  };
}

const SOCKET_ROUTES = {
  viewer: '/v1/sessions/ws/:id/subscribe',
  worker: '/v1/session_ingress/ws/:id',
} as const;

/** Reports each POST of messages to the observer. Returns `answer` itself if `observer` is absent. */
export function observePosts(answer: AnswerPost, observer: IngressObserver | undefined): AnswerPost {
  if (observer?.answered === undefined) return answer;
  return async (request) => {
    const begun = performance.now();
    const answered = await answer(request);
    observer.answered?.({
      method: 'POST',
      route: POST_ROUTES[request.from],
      path: request.path,
      status: answered.status,
      ms: performance.now() - begun,
      error: answered.status < 400 || answered.body === undefined ? undefined : errorIn(answered.body),
    });
    return answered;
  };
}

/** Reports an upgrade to the observer. `accepting` fulfils with the function that accepts the socket, or with the refusal. */
export async function observeUpgrade<Accept>(
  url: string,
  accepting: Promise<Accept | Response>,
  observer: IngressObserver,
): Promise<Accept | Response> {
  const begun = performance.now();
  const accepted = await accepting;
  const isRefusal = accepted instanceof Response && !(accepted instanceof ElsewhereResponse);
  const refusal = isRefusal ? accepted : undefined;
  const { pathname } = new URL(url);
  observer.answered?.({
    method: 'GET',
    route: pathname.startsWith('/v1/sessions/') ? SOCKET_ROUTES.viewer : SOCKET_ROUTES.worker,
    path: pathname,
    status: refusal?.status ?? 101,
    ms: performance.now() - begun,
    error: refusal && errorIn(await refusal.clone().text()),
  });
  return accepted;
}

function errorIn(body: string): string | undefined {
  try {
    return (parseJson(body) as { readonly error?: { readonly type?: string } }).error?.type;
  } catch {
    return undefined;
  }
}
