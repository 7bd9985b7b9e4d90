import { Hono } from 'hono';
import { createAccounts } from '../auth/accounts.ts';
import { figuresOf } from '../observe/figures.ts';
import type { MetricsEndpoint } from '../observe/observer.ts';
import { createReadiness } from '../observe/readiness.ts';
import { bearerOf, unauthenticated } from './authenticate.ts';
import type { HonoTypes, IngressContext } from './ingress-context.ts';

/**
 * The routes for operators: whether the process is alive, whether it should receive requests, and its metrics. Requests for these routes use the
 * machine's address as their host and may arrive while the server shuts down, so these routes are handled before the checks of other routes.
 */
export function healthRoutes(
  context: IngressContext,
  isDraining: () => boolean,
  metrics: MetricsEndpoint | undefined,
): Hono<HonoTypes> {
  const readiness = createReadiness(context.log, isDraining);
  const routes = new Hono<HonoTypes>()
    .get('/healthz', (c) => (isDraining() ? c.json({ status: 'draining' }, 503) : c.json({ status: 'ok' })))
    .get('/readyz', async (c) => {
      const status = await readiness();
      return c.json({ status }, status === 'ready' ? 200 : 503);
    });
  if (metrics === undefined) return routes;
  // `createAccounts` compares hashes, so that the duration of a refusal reveals nothing about the token.
  const collectors = createAccounts([{ name: 'metrics', role: 'viewer', token: metrics.token }]);
  return routes.get('/metrics', async (c) => {
    const token = bearerOf(c.req.raw);
    const collector = token === undefined ? undefined : await (await collectors).authenticate(token);
    if (collector === undefined) throw unauthenticated();
    const { text, contentType } = await metrics.read(await figuresOf(context));
    return c.body(text, 200, { 'content-type': contentType, 'cache-control': 'no-store' });
  });
}
