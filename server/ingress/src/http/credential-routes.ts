import { type Context, Hono } from 'hono';
import { stringOf } from '../json/values.ts';
import { accountOf, driverOf, forbidden, refuseEnded, sessionOf } from './authenticate.ts';
import type { HonoTypes, IngressContext } from './ingress-context.ts';
import { MAX_SMALL_BODY_BYTES, readBody } from './read-body.ts';
import { Refusal } from './refusal.ts';
import { neededEpochOf, refuseConflict } from './worker-requests.ts';

/** The routes by which an account gets credentials: worker tokens, their renewal, and tickets. */
export function credentialRoutes(context: IngressContext): Hono<HonoTypes> {
  const { tickets, workerTokens, rates } = context;
  const credentials = async (c: Context<HonoTypes>, session: string, lease: string, worker_epoch: number) => ({
    worker_jwt: await workerTokens.mint({ session, id: lease }),
    // Only the scheme is taken from the URL: its host may differ from the host that the guard checked.
    api_base_url: context.publicUrl ?? `${new URL(c.req.url).protocol}//${c.get('host')}`,
    expires_in: Math.floor(workerTokens.lifetimeMs / 1000),
    worker_epoch,
  });
  return new Hono<HonoTypes>()
    .post('/:id/bridge', async (c) => {
      const id = c.req.param('id');
      const session = await sessionOf(context, id, await driverOf(context, c.req.raw));
      if (session.record.archived) throw archived();
      const lease = crypto.randomUUID();
      return c.json(await credentials(c, id, lease, await session.claimLease(lease, c.env?.isOwn)));
    })
    .post('/:id/bridge/renew', async (c) => {
      const id = c.req.param('id');
      const account = await driverOf(context, c.req.raw);
      const session = await sessionOf(context, id, account);
      if (session.record.archived) throw archived();
      const limits = { maxBytes: MAX_SMALL_BODY_BYTES, take: rates.ofAccount(account) };
      const { members } = await readBody(c.req.raw, limits);
      await refuseEnded(context, account);
      const epoch = neededEpochOf(members);
      // An expired token still identifies its lease. The account's rights determine whether it gets a new token.
      const claims = await workerTokens.verify(stringOf(members['worker_jwt']) ?? '', { ignoresExpiry: true });
      if (claims === undefined)
        throw new Refusal(400, 'invalid_request_error', 'worker_jwt must be the token of a worker');
      if (claims.session !== id) throw forbidden('the token belongs to another session', 'session');
      refuseConflict(session.conflict(claims.id, epoch));
      return c.json(await credentials(c, id, claims.id, epoch));
    })
    .post('/:id/tickets', async (c) => {
      const account = await accountOf(context, c.req.raw);
      const { record } = await sessionOf(context, c.req.param('id'), account);
      const ticket = await tickets.issue(account, record.id);
      return c.json({ ticket, expires_in: Math.floor(tickets.lifetimeMs / 1000) });
    });
}

function archived(): Refusal {
  return new Refusal(410, 'session_not_active', 'the session is archived');
}
