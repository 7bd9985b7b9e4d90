import { Hono } from 'hono';
import { stringOf } from '../json/values.ts';
import { accountOf, driverOf, forbidden, refuseEnded, sessionOf, tooManySessions } from './authenticate.ts';
import type { HonoTypes, IngressContext } from './ingress-context.ts';
import { MAX_SMALL_BODY_BYTES, readBody } from './read-body.ts';
import { Refusal } from './refusal.ts';

const MAX_TITLE_LENGTH = 1000;

/** The routes for whole sessions: create, show, archive. */
export function sessionRoutes(context: IngressContext): Hono<HonoTypes> {
  const { sessions, rates } = context;
  return new Hono<HonoTypes>()
    .post('/', async (c) => {
      const account = await driverOf(context, c.req.raw);
      if (account.sessions !== undefined) throw forbidden('the account is limited to its sessions', 'session');
      const limits = { maxBytes: MAX_SMALL_BODY_BYTES, take: rates.ofAccount(account) };
      const title = stringOf((await readBody(c.req.raw, limits)).members['title']) ?? '';
      await refuseEnded(context, account);
      if (!sessions.hasRoom()) throw tooManySessions();
      const made = await sessions.create(title.slice(0, MAX_TITLE_LENGTH));
      if (made === undefined) throw tooManyStoredSessions();
      const { record } = made;
      return c.json({ session: { id: record.id, title: record.title, created_at: iso(record.createdAt) } });
    })
    .get('/:id', async (c) => {
      const session = await sessionOf(context, c.req.param('id'), await accountOf(context, c.req.raw));
      const { record, worker, openRequests, skipped } = session;
      return c.json({
        session: {
          id: record.id,
          title: record.title,
          created_at: iso(record.createdAt),
          archived: record.archived,
          worker_status: worker.status,
          worker_epoch: worker.epoch,
          open_requests: openRequests,
          skipped_entries: skipped,
          external_metadata: worker.externalMetadata,
        },
      });
    })
    .post('/:id/archive', async (c) => {
      const session = await sessionOf(context, c.req.param('id'), await driverOf(context, c.req.raw));
      await session.archive();
      return c.json({});
    });
}

/** The refusal while the log has as many sessions as it may have. */
function tooManyStoredSessions(): Refusal {
  const message = 'as many sessions are stored as may be; they are dropped when nobody has written to them for long';
  return new Refusal(507, 'too_many_sessions', message);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
