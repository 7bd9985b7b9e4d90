import { cutText } from '@proto/core/framing';
import { Hono } from 'hono';
import type { Account } from '../auth/accounts.ts';
import { stringOf } from '../json/values.ts';
import type { StreamsQuery } from '../log/event-log.ts';
import type { Session } from '../session/session.ts';
import { accountOf, driverOf, forbidden, lookAt, refuseEnded, sessionOf, tooManySessions } from './authenticate.ts';
import type { HonoTypes, IngressContext } from './ingress-context.ts';
import { numberOf } from './parameters.ts';
import { MAX_SMALL_BODY_BYTES, readBody } from './read-body.ts';
import { Refusal } from './refusal.ts';

const MAX_TITLE_LENGTH = 1000;
const MAX_LISTED_SESSIONS = 100;
const DEFAULT_LISTED = 20;

/** The routes for whole sessions: create, list, show, archive. */
export function sessionRoutes(context: IngressContext): Hono<HonoTypes> {
  const { sessions, rates } = context;
  return new Hono<HonoTypes>()
    .post('/', async (c) => {
      const account = await driverOf(context, c.req.raw);
      if (account.sessions !== undefined)
        throw forbidden('the account is limited to certain sessions, so it cannot create a session', 'session');
      const limits = { maxBytes: MAX_SMALL_BODY_BYTES, take: rates.ofAccount(account) };
      const title = stringOf((await readBody(c.req.raw, limits)).members['title']) ?? '';
      await refuseEnded(context, account);
      if (!sessions.hasRoom()) throw tooManySessions();
      const made = await sessions.create(cutText(title, MAX_TITLE_LENGTH));
      if (made === undefined) throw tooManyStoredSessions();
      const { record } = made;
      return c.json({ session: { id: record.id, title: record.title, created_at: iso(record.createdAt) } });
    })
    .get('/', async (c) => {
      const account = await accountOf(context, c.req.raw);
      const limit = Math.min(numberOf('limit', c.req.query('limit')) ?? DEFAULT_LISTED, MAX_LISTED_SESSIONS);
      const { ids, next } = await pageOfSessions(context, account, { before: c.req.query('before'), limit });
      const data: ReturnType<typeof summaryOf>[] = [];
      for (const id of ids) {
        // Throws if memory has too little room for another session. The client then tries again.
        const session = await lookAt(context, id).catch(noneIfGone);
        if (session !== undefined) data.push(summaryOf(session));
      }
      return c.json({ data, next_before: next });
    })
    .get('/:id', async (c) => {
      const session = await sessionOf(context, c.req.param('id'), await accountOf(context, c.req.raw));
      const { worker, skipped } = session;
      const details = { worker_epoch: worker.epoch, skipped_entries: skipped };
      return c.json({ session: { ...summaryOf(session), ...details, external_metadata: worker.externalMetadata } });
    })
    .post('/:id/archive', async (c) => {
      const session = await sessionOf(context, c.req.param('id'), await driverOf(context, c.req.raw));
      await session.archive();
      return c.json({});
    });
}

/** Returns the ids of the sessions that an account may use, newest first, and the value of `before` for the next page (null on the last page). */
async function pageOfSessions({ log }: IngressContext, { sessions }: Account, query: StreamsQuery) {
  const { before, limit } = query;
  if (sessions === undefined) {
    const ids = await log.listStreams({ before, limit: limit + 1 });
    return { ids: ids.slice(0, limit), next: ids.length > limit ? (ids[limit - 1] ?? null) : null };
  }
  const from = before === undefined ? 0 : sessions.indexOf(before) + 1 || sessions.length;
  const ids = sessions.slice(from, from + limit);
  return { ids, next: from + limit < sessions.length ? (ids.at(-1) ?? null) : null };
}

function summaryOf({ record, worker, openRequests }: Session) {
  return {
    id: record.id,
    title: record.title,
    created_at: iso(record.createdAt),
    archived: record.archived,
    worker_status: worker.status,
    open_requests: openRequests,
  };
}

/**
 * Returns undefined if a session was refused because it does not exist, and throws any other error. An account may have rights for a session that
 * does not exist, and a listed session may have expired in the meantime.
 */
function noneIfGone(error: unknown): undefined {
  if (error instanceof Refusal && error.status === 404) return undefined;
  throw error;
}

function tooManyStoredSessions(): Refusal {
  const message =
    'the server cannot store more sessions: try again after the server has removed a session that had no messages for a long time';
  return new Refusal(507, 'too_many_sessions', message);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
