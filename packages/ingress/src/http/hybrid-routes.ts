import { Hono } from 'hono';
import { objectOf } from '../json.ts';
import { entryOf } from '../session/entry.ts';
import { sessionOf, workerOf } from './authenticate.ts';
import type { HonoTypes, IngressContext } from './ingress-context.ts';
import { entriesOf } from './parameters.ts';
import { readBody } from './read-body.ts';
import { conflict } from './worker-routes.ts';

/** What a worker sends that reads a WebSocket and posts: bare messages, without envelopes and an epoch. */
export function hybridRoutes(context: IngressContext): Hono<HonoTypes> {
  return new Hono<HonoTypes>().post('/:id/events', async (c) => {
    const id = c.req.param('id');
    const { id: token } = await workerOf(context, c.req.raw, id);
    const session = await sessionOf(context, id);
    const { value } = await readBody(c.req.raw, context.maxBodyBytes);
    const entries = entriesOf(value, 'events').map((payload) =>
      entryOf({ payload, ephemeral: objectOf(payload)['type'] === 'stream_event' }),
    );
    const results = await session.postFromWorker(token, undefined, entries);
    if (typeof results === 'string') throw conflict(results);
    return c.json({ results });
  });
}
