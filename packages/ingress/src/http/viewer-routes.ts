import { type Context, Hono } from 'hono';
import { maySend } from '../auth/accounts.ts';
import { envelopeOf } from '../stream/frames.ts';
import { openWebSink } from '../stream/web-sink.ts';
import { accountOf, forbidden, readerOf, sessionOf } from './authenticate.ts';
import { cursorOf, limitOf } from './parameters.ts';
import type { HonoTypes, IngressContext } from './ingress-context.ts';
import { postedEntries } from './posted-entries.ts';
import { readBody } from './read-body.ts';
import { Refusal } from './refusal.ts';

/** The viewer's side of a session: follow it, catch up, send. */
export function viewerRoutes(context: IngressContext): Hono<HonoTypes> {
  return new Hono<HonoTypes>()
    .get('/:id/events/stream', async (c) => {
      const id = c.req.param('id');
      const account = await readerOf(context, c.req.raw, id);
      const session = await sessionOf(context, id, account);
      if (session.readers.size >= context.maxStreams)
        throw new Refusal(429, 'rate_limit_error', 'too many event streams');
      const { response, sink } = openSink(c);
      session.openViewer(sink, cursorOf(c.req.raw), { account });
      return response;
    })
    .get('/:id/events', async (c) => {
      const { record } = await sessionOf(context, c.req.param('id'), await accountOf(context, c.req.raw));
      const after = cursorOf(c.req.raw);
      const { events, missing, last } = await context.log.read(record.id, after, limitOf(c.req.raw));
      const next = events.at(-1)?.sequence;
      const rest = {
        next_cursor: next !== undefined && next < last ? String(next) : null,
        last_sequence_num: last,
        missing,
      };
      return c.body(`{"data":[${events.map(envelopeOf).join()}],${JSON.stringify(rest).slice(1)}`, 200, {
        'content-type': 'application/json',
      });
    })
    .post('/:id/events', async (c) => {
      const id = c.req.param('id');
      const account = await accountOf(context, c.req.raw);
      const session = await sessionOf(context, id, account);
      const body = await readBody(c.req.raw, context.maxBodyBytes);
      const { session_id: named } = body.value;
      if (named !== undefined && named !== id) {
        throw new Refusal(400, 'invalid_request_error', 'session_id is of another session');
      }
      // A viewer has nothing that is worth saying and not worth keeping.
      const entries = postedEntries(body).map((entry) => entry && { ...entry, ephemeral: false });
      for (const entry of entries) {
        if (entry !== undefined && !maySend(account, entry.type, entry.payload)) {
          throw forbidden(`a ${account.role} may not send this`, 'role');
        }
      }
      if (session.record.archived) throw new Refusal(410, 'session_not_active', 'the session was put away');
      const failure = session.agentFailure;
      if (failure !== undefined) throw new Refusal(502, failure.type, failure.message);
      return c.json({ events: await session.postFromClient(entries, account.name) });
    });
}

/** Begins the event stream of a request, on whatever the server writes to. */
export function openSink(c: Context<HonoTypes>) {
  // Its head alone would leave a stream behind that nobody reads.
  if (c.req.method === 'HEAD') {
    throw new Refusal(405, 'invalid_request_error', 'a stream is to be read', { headers: { allow: 'GET' } });
  }
  return (c.env?.openSink ?? openWebSink)(c.get('cors'));
}
