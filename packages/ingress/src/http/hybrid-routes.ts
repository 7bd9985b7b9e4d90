import { Hono } from 'hono';
import { sessionOf, workerOf } from './authenticate.ts';
import type { HonoTypes, IngressContext } from './ingress-context.ts';
import { entriesOf, MAX_ENTRIES } from './parameters.ts';
import { postedEntries } from './posted-entries.ts';
import { readBody } from './read-body.ts';
import { conflict } from './worker-routes.ts';

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
