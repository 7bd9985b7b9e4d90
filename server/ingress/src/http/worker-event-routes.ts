import { Hono } from 'hono';
import { inSteps } from '../event-loop.ts';
import { createInternalEvents } from '../session/internal-events.ts';
import type { HonoTypes, IngressContext } from './ingress-context.ts';
import { cursorOf, entriesOf, numberOf } from './parameters.ts';
import { entriesOfBody } from '../posts/entries-of-body.ts';
import { EVENTS } from '../posts/store-posts.ts';
import { Refusal } from './refusal.ts';
import { openSink } from './viewer-routes.ts';
import { refuseConflict, WorkerRequests } from './worker-requests.ts';

/** The routes for the messages of a worker: its event stream, and the transcript for the next worker. */
export function workerEventRoutes(context: IngressContext): Hono<HonoTypes> {
  const requests = new WorkerRequests(context);
  return new Hono<HonoTypes>()
    .get('/:id/worker/events/stream', async (c) => {
      const { token, session } = await requests.authenticate(c.req.raw, c.req.param('id'));
      // Nothing is awaited after this check, so that a worker that has just lost its lease cannot end a stream of the next worker.
      refuseConflict(session.conflict(token));
      const { response, sink } = openSink(c);
      session.openWorker(sink, cursorOf(c.req.raw, 'from_sequence_num'));
      return response;
    })
    .post('/:id/worker/internal-events', async (c) => {
      const { token, session, body, epoch } = await requests.receive(c.req.raw, c.req.param('id'), Infinity, EVENTS);
      const rows = createInternalEvents(session.log, session.record.id);
      const cut = entriesOf(body, 'events');
      const posted = await inSteps(entriesOfBody(cut, { isEphemeral: () => false }));
      const entries = posted.flatMap((entry, index) =>
        typeof entry === 'string' ? [] : [{ entry, members: cut[index]?.members ?? {} }],
      );
      const append = async () => {
        await rows.append(entries);
        return undefined;
      };
      refuseConflict(await session.withLease(token, epoch, append));
      return c.json({});
    })
    .get('/:id/worker/internal-events', async (c) => {
      const { session } = await requests.withLease(c.req.raw, c.req.param('id'));
      const { subagents, session_agent_id, from_first_event, cursor, after_event_id, limit } = c.req.query();
      const page = await createInternalEvents(session.log, session.record.id).read({
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
