import { Hono } from 'hono';
import type { HonoTypes, IngressContext } from './ingress-context.ts';
import { listOf } from './parameters.ts';
import { MAX_SMALL_BODY_BYTES } from './read-body.ts';
import { Refusal } from './refusal.ts';
import { conflict, refuseConflict, WorkerRequests } from './worker-requests.ts';

/** The heartbeat interval that published workers use. */
const HEARTBEAT_SECONDS = 20;
/** The limit for delivery marks: enough for 10 000 marks with ids of 256 characters. */
const MAX_DELIVERY_BYTES = 8 * 1024 * 1024;

/** The routes for a worker's reports: registration, state, delivery marks and heartbeat. Workers without the lease get status 409. */
export function workerRoutes(context: IngressContext): Hono<HonoTypes> {
  const requests = new WorkerRequests(context);
  return new Hono<HonoTypes>()
    .post('/:id/worker/register', async (c) => {
      const { token, session } = await requests.authenticate(c.req.raw, c.req.param('id'));
      if (session.record.archived) throw conflict('session_not_active');
      return c.json({ worker_epoch: await session.claimLease(token, c.env?.isOwn) });
    })
    .get('/:id/worker', async (c) => {
      const { session } = await requests.withLease(c.req.raw, c.req.param('id'));
      const { status, externalMetadata, internalMetadata } = session.worker;
      const worker = {
        worker_status: status,
        external_metadata: externalMetadata,
        internal_metadata: internalMetadata,
      };
      return c.json({ worker });
    })
    .put('/:id/worker', async (c) => {
      const { token, session, body, epoch } = await requests.receive(c.req.raw, c.req.param('id'));
      const refused = await session.report(token, epoch, body.members);
      if (refused === 'too_large')
        throw new Refusal(413, 'request_too_large', 'the reported state of the worker is too large');
      refuseConflict(refused);
      return c.json({});
    })
    .post('/:id/worker/events/delivery', async (c) => {
      const { token, session, body, epoch } = await requests.receive(c.req.raw, c.req.param('id'), MAX_DELIVERY_BYTES);
      refuseConflict(await session.markDelivery(token, epoch, listOf(body.members, 'updates')));
      return c.json({});
    })
    .post('/:id/worker/heartbeat', async (c) => {
      const { token, session, epoch } = await requests.receive(c.req.raw, c.req.param('id'), MAX_SMALL_BODY_BYTES);
      refuseConflict(session.conflict(token, epoch));
      return c.json({ heartbeat_interval_seconds: HEARTBEAT_SECONDS });
    });
}
