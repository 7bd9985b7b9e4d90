import { type Context, Hono } from 'hono';
import { openWebSink } from '../stream/event-sink.ts';
import { envelopeOf, readableEvent } from '../stream/stream-format.ts';
import { accountOf, readerOf, sessionOf } from './authenticate.ts';
import type { HonoTypes, IngressContext } from './ingress-context.ts';
import { cursorOf, limitOf } from './parameters.ts';
import { Refusal } from './refusal.ts';

/** The routes for viewers of a session: follow the session and catch up. */
export function viewerRoutes(context: IngressContext): Hono<HonoTypes> {
  return new Hono<HonoTypes>()
    .get('/:id/events/stream', async (c) => {
      const id = c.req.param('id');
      const account = await readerOf(context, c.req.raw, id);
      const session = await sessionOf(context, id, account);
      if (session.subscribers.size >= context.maxStreams) {
        throw new Refusal(429, 'rate_limit_error', 'too many event streams', { headers: { 'retry-after': '5' } });
      }
      const { response, sink } = openSink(c);
      session.openViewer(sink, cursorOf(c.req.raw, 'from_sequence_num'), { account });
      context.accounts.checkOpened(account, sink);
      return response;
    })
    .get('/:id/events', async (c) => {
      const { record } = await sessionOf(context, c.req.param('id'), await accountOf(context, c.req.raw));
      const { log } = context;
      const { sequence: asked, log: named = log.identity } = cursorOf(c.req.raw, 'after');
      const after = Math.min(asked, await log.commonWith(record.id, named));
      const { events, missing, last } = await log.read(record.id, after, limitOf(c.req.raw));
      const next = events.at(-1)?.sequence;
      const readable = events.map(readableEvent).filter((event) => event !== undefined);
      const rest = {
        next_cursor: next !== undefined && next < last ? String(next) : null,
        last_sequence_num: last,
        missing,
        log: log.identity,
        ...(after < asked && { gap: { reason: 'unknown_cursor', from: after + 1, to: asked } }),
      };
      return c.body(`{"data":[${readable.map(envelopeOf).join()}],${JSON.stringify(rest).slice(1)}`, 200, {
        'content-type': 'application/json',
      });
    });
}

/** Begins the event stream of a request. */
export function openSink(c: Context<HonoTypes>) {
  // A HEAD request would open a stream that nobody reads.
  if (c.req.method === 'HEAD') {
    throw new Refusal(405, 'invalid_request_error', 'use GET to read a stream', { headers: { allow: 'GET' } });
  }
  return (c.env?.openSink ?? openWebSink)(c.get('cors'));
}
