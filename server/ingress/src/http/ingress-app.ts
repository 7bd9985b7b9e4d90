import { Hono, type MiddlewareHandler } from 'hono';
import { SessionElsewhere } from '../forwarding/session-elsewhere.ts';
import type { IngressOptions } from '../ingress-options.ts';
import { credentialRoutes } from './credential-routes.ts';
import { forward, refuseStale } from '../forwarding/send-on.ts';
import type { Guard } from './guard.ts';
import { healthRoutes } from './health-routes.ts';
import type { HonoTypes, IngressContext } from './ingress-context.ts';
import { observeApp } from '../observe/observe-answers.ts';
import { answerToError, draining, Refusal } from './refusal.ts';
import { sessionRoutes } from './session-routes.ts';
import { viewerRoutes } from './viewer-routes.ts';
import { hybridRoutes, workerEventRoutes } from './worker-event-routes.ts';
import { workerRoutes } from './worker-routes.ts';

/** The checks before all routes. */
export interface IngressAppOptions {
  readonly guard: Guard;
  readonly isDraining: () => boolean;
  readonly options: Pick<IngressOptions, 'fallback' | 'observer' | 'metrics'>;
}

/** Creates the app with every endpoint but the WebSockets. */
export function createIngressApp(context: IngressContext, { guard, isDraining, options }: IngressAppOptions) {
  const { observer, metrics, fallback } = options;
  const app = new Hono<HonoTypes>().use(withSafeHeaders).route('/', healthRoutes(context, isDraining, metrics));
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
    .route('/v1/session_ingress/session', hybridRoutes(context))
    .notFound(
      (c) =>
        fallback?.(c.req.raw, { address: c.env?.address }) ??
        new Refusal(404, 'not_found_error', 'no such endpoint').response(),
    )
    .onError(async (error, c) => {
      if (!(error instanceof SessionElsewhere)) return answerToError(error, context.onError);
      return forward(context, error, c).catch((refusal: unknown) => answerToError(refusal, context.onError));
    });
}

/** Keeps every answer out of caches, and a browser from guessing its type: those of routes and refusals, and those of `fallback`. */
const withSafeHeaders: MiddlewareHandler<HonoTypes> = async (c, next) => {
  await next();
  const { headers } = c.res;
  headers.set('x-content-type-options', 'nosniff');
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
};
