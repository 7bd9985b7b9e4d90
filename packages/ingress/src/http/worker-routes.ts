import { Hono } from 'hono';
import type { CutBodyOptions } from '../json/cut-body.ts';
import type { JsonObject } from '../json/values.ts';
import { createInternalEvents } from '../session/internal-events.ts';
import type { Conflict } from '../session/worker-lease.ts';
import { sessionOf, workerOf } from './authenticate.ts';
import type { HonoTypes, IngressContext } from './ingress-context.ts';
import { cursorOf, entriesOf, epochOf, listOf, MAX_ENTRIES, numberOf } from './parameters.ts';
import { postedEntries } from './posted-entries.ts';
import { MAX_SMALL_BODY_BYTES, readBody } from './read-body.ts';
import { Refusal } from './refusal.ts';
import { openSink } from './viewer-routes.ts';

/** As often as the published workers beat by themselves. */
const HEARTBEAT_SECONDS = 20;
/** A list of messages. */
const EVENTS: CutBodyOptions = { list: 'events', maxEntries: MAX_ENTRIES };
/** A list of up to 10 000 marks, with ids of up to 256 characters. */
const MAX_DELIVERY_BYTES = 8 * 1024 * 1024;

/** The worker's side of a session. Whoever does not have the lease is told so with 409, and nothing else is. */
export function workerRoutes(context: IngressContext): Hono<HonoTypes> {
  /** Whose request it is, in which session. */
  const found = async (request: Request, id: string) => {
    const { id: token } = await workerOf(context, request, id);
    return { token, session: await sessionOf(context, id) };
  };
  /** The same of who has the lease, with what the request says. For who has lost the lease, nothing is read. */
  const received = async (request: Request, id: string, mostBytes: number, list?: CutBodyOptions) => {
    const { token, session } = await found(request, id);
    refuseConflict(session.conflict(token));
    const maxBytes = Math.min(mostBytes, context.maxBodyBytes);
    const body = await readBody(request, { maxBytes, take: context.rates.ofWorker(id) }, list);
    return { token, session, body, epoch: neededEpochOf(body.members) };
  };
  const leased = async (request: Request, id: string) => {
    const { token, session } = await found(request, id);
    refuseConflict(session.conflict(token));
    return session;
  };

  return new Hono<HonoTypes>()
    .post('/:id/worker/register', async (c) => {
      const { token, session } = await found(c.req.raw, c.req.param('id'));
      if (session.record.archived) throw conflict('session_not_active');
      return c.json({ worker_epoch: await session.claimLease(token) });
    })
    .get('/:id/worker', async (c) => {
      const session = await leased(c.req.raw, c.req.param('id'));
      const { status, externalMetadata, internalMetadata } = session.worker;
      const worker = {
        worker_status: status,
        external_metadata: externalMetadata,
        internal_metadata: internalMetadata,
      };
      return c.json({ worker });
    })
    .put('/:id/worker', async (c) => {
      const { token, session, body, epoch } = await received(c.req.raw, c.req.param('id'), Infinity);
      const refused = await session.report(token, epoch, body.members);
      if (refused === 'too_large') throw new Refusal(413, 'request_too_large', 'a worker may not leave that much');
      refuseConflict(refused);
      return c.json({});
    })
    .post('/:id/worker/events', async (c) => {
      const { token, session, body, epoch } = await received(c.req.raw, c.req.param('id'), Infinity, EVENTS);
      const posted = await postedEntries(entriesOf(body, 'events'), {
        isEphemeral: ({ members }) => members['ephemeral'] === true,
      });
      const results = await session.postFromWorker(token, epoch, posted);
      if (typeof results === 'string') throw conflict(results);
      return c.json({ results, has_subscribers: session.subscribers.viewers > 0 });
    })
    .post('/:id/worker/events/delivery', async (c) => {
      const { token, session, body, epoch } = await received(c.req.raw, c.req.param('id'), MAX_DELIVERY_BYTES);
      refuseConflict(await session.markDelivery(token, epoch, listOf(body.members, 'updates')));
      return c.json({});
    })
    .post('/:id/worker/heartbeat', async (c) => {
      const { token, session, epoch } = await received(c.req.raw, c.req.param('id'), MAX_SMALL_BODY_BYTES);
      refuseConflict(session.conflict(token, epoch));
      return c.json({ heartbeat_interval_seconds: HEARTBEAT_SECONDS });
    })
    .get('/:id/worker/events/stream', async (c) => {
      const { token, session } = await found(c.req.raw, c.req.param('id'));
      // Nothing is waited for from here on, so that a worker which has just lost its lease ends no stream of the next one.
      refuseConflict(session.conflict(token));
      const { response, sink } = openSink(c);
      session.openWorker(sink, cursorOf(c.req.raw));
      return response;
    })
    .post('/:id/worker/internal-events', async (c) => {
      const { token, session, body, epoch } = await received(c.req.raw, c.req.param('id'), Infinity, EVENTS);
      const rows = createInternalEvents(context.log, session.record.id);
      const cut = entriesOf(body, 'events');
      const posted = await postedEntries(cut, { isEphemeral: () => false });
      const entries = posted.flatMap((entry, index) =>
        typeof entry === 'string' ? [] : [{ entry, members: cut[index]?.members ?? {} }],
      );
      refuseConflict(await session.withLease(token, epoch, () => rows.append(entries)));
      return c.json({});
    })
    .get('/:id/worker/internal-events', async (c) => {
      const session = await leased(c.req.raw, c.req.param('id'));
      const { subagents, session_agent_id, from_first_event, cursor, after_event_id, limit } = c.req.query();
      const page = await createInternalEvents(context.log, session.record.id).read({
        subagents: subagents === 'true',
        agentId: session_agent_id,
        fromFirst: from_first_event === 'true',
        cursor: numberOf('cursor', cursor),
        afterEventId: after_event_id,
        limit: Number.isInteger(Number(limit)) && Number(limit) > 0 ? Number(limit) : undefined,
      });
      if (page === undefined) throw new Refusal(404, 'after_event_id_not_found', 'no such event');
      return c.json(page);
    });
}

/**
 * Every worker that has an epoch says it. Without one, an earlier process with the same token could not be told from the present one.
 * @throws {Refusal} with status 400 where it is missing or no number.
 */
function neededEpochOf(members: JsonObject): number {
  const epoch = epochOf(members);
  if (epoch === undefined) throw new Refusal(400, 'invalid_request_error', 'worker_epoch is missing');
  return epoch;
}

function refuseConflict(reason: Conflict | undefined): void {
  if (reason !== undefined) throw conflict(reason);
}

/** What a worker without the lease is answered. */
function conflict(reason: Conflict): Refusal {
  const headers = { 'x-ccr-conflict-reason': reason };
  return new Refusal(409, 'conflict_error', 'the worker has lost its lease', { details: { reason }, headers });
}

/** What a worker sends that reads a WebSocket and posts: bare messages, without envelopes and an epoch. */
export function hybridRoutes(context: IngressContext): Hono<HonoTypes> {
  return new Hono<HonoTypes>().post('/:id/events', async (c) => {
    const id = c.req.param('id');
    const { id: token } = await workerOf(context, c.req.raw, id);
    const session = await sessionOf(context, id);
    const lost = session.conflict(token);
    if (lost !== undefined) throw conflict(lost);
    const limits = { maxBytes: context.maxBodyBytes, take: context.rates.ofWorker(id) };
    const body = await readBody(c.req.raw, limits, { list: 'events', isBare: true, maxEntries: MAX_ENTRIES });
    // These messages have no envelope that could mark them as ephemeral.
    const posted = await postedEntries(entriesOf(body, 'events'), {
      isEphemeral: (_, type) => type === 'stream_event',
    });
    const results = await session.postFromWorker(token, undefined, posted);
    if (typeof results === 'string') throw conflict(results);
    return c.json({ results });
  });
}
