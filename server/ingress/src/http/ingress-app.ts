import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { NotOwner } from '../forwarding/not-owner.ts';
import type { IngressOptions } from '../ingress-options.ts';
import { credentialRoutes } from './credential-routes.ts';
import { forwardFrom, sendOn } from '../forwarding/send-on.ts';
import { type Guard, SAFE_HEADERS } from './guard.ts';
import { healthRoutes } from './health-routes.ts';
import type { HonoTypes, IngressContext } from './ingress-context.ts';
import { observeApp } from '../observe/observe-answers.ts';
import type { AnswerPost } from '../posts/answer-post.ts';
import { postRoutes } from '../posts/post-routes.ts';
import { answerToError, draining, moving, Refusal } from './refusal.ts';
import { sessionRoutes } from './session-routes.ts';
import { viewerRoutes } from './viewer-routes.ts';
import { workerEventRoutes } from './worker-event-routes.ts';
import { workerRoutes } from './worker-routes.ts';

/** The functions and options that the app needs in addition to the context. */
export interface IngressAppOptions {
  readonly guard: Guard;
  readonly isDraining: () => boolean;
  readonly answerPost: AnswerPost;
  readonly options: Pick<IngressOptions, 'fallback' | 'observer' | 'metrics'>;
}

/** Creates the app with every endpoint except the WebSockets. */
export function createIngressApp(
  context: IngressContext,
  { guard, isDraining, answerPost, options }: IngressAppOptions,
) {
  const { observer, metrics, fallback } = options;
  const app = new Hono<HonoTypes>()
    .use(withSafeHeaders)
    .route('/', healthRoutes(context, isDraining, metrics))
    .route('/', postRoutes(context, answerPost));
  if (observer?.answered !== undefined) app.use(observeApp(observer));
  return app
    .use(async (c, next) => {
      const { host, cors } = guard(c.req.raw);
      c.set('host', host);
      c.set('cors', cors);
      if (isDraining()) throw draining();
      if (c.req.method === 'OPTIONS') return c.body(null, 204, cors);
      await next();
      refuseStale(context, c);
      for (const [name, value] of Object.entries(cors)) c.res.headers.set(name, value);
      return undefined;
    })
    .route('/v1/code/sessions', sessionRoutes(context))
    .route('/v1/code/sessions', credentialRoutes(context))
    .route('/v1/code/sessions', viewerRoutes(context))
    .route('/v1/code/sessions', workerRoutes(context))
    .route('/v1/code/sessions', workerEventRoutes(context))
    .notFound(
      (c) =>
        fallback?.(c.req.raw, { address: c.env?.address }) ??
        new Refusal(404, 'not_found_error', 'no such endpoint').response(),
    )
    .onError(async (error, c) => {
      if (!(error instanceof NotOwner)) return answerToError(error, context.onError);
      return forward(context, error, c).catch((refusal: unknown) => answerToError(refusal, context.onError));
    });
}

const SESSION_PATH = /^\/v1\/code\/sessions\/([^/]+)/;

/** Replaces the answer if this node lost the session while answering, for example because its process was suspended: the answer may be outdated. */
function refuseStale({ sessions }: IngressContext, c: Context<HonoTypes>): void {
  const { claims } = sessions;
  if (claims === undefined || c.get('isForwarded') === true) return;
  const isAnswer = c.res.ok && c.res.headers.get('content-type')?.startsWith('application/json') === true;
  const [, session] = SESSION_PATH.exec(c.req.path) ?? [];
  if (isAnswer && session !== undefined && !sessions.mayAnswerFor(session)) c.res = moving().response();
}

async function forward(context: IngressContext, elsewhere: NotOwner, c: Context<HonoTypes>): Promise<Response> {
  const { headers } = c.req.raw;
  const answer = await sendOn(context, elsewhere, { headers, isOwn: c.env?.isOwn }, forwardFrom(context, c));
  if (answer === undefined) return moving().response();
  c.set('isForwarded', true);
  return answer;
}

/** Adds the safe headers to the answers of routes and of `fallback`, and to refusals. */
const withSafeHeaders: MiddlewareHandler<HonoTypes> = async (c, next) => {
  await next();
  const { headers } = c.res;
  for (const [name, value] of Object.entries(SAFE_HEADERS)) if (!headers.has(name)) headers.set(name, value);
};
