import { type Context, Hono } from 'hono';
import type { Account } from '../auth/accounts.ts';
import { maySend } from '../auth/rights.ts';
import type { Entry, EntryRefusal } from '../session/entry.ts';
import type { Session } from '../session/session.ts';
import { openWebSink } from '../stream/event-sink.ts';
import { envelopeOf, readableEvent } from '../stream/stream-format.ts';
import { accountOf, forbidden, readerOf, sessionOf, refuseEnded } from './authenticate.ts';
import type { HonoTypes, IngressContext } from './ingress-context.ts';
import { cursorOf, entriesOf, limitOf, MAX_ENTRIES } from './parameters.ts';
import { postedEntries } from './posted-entries.ts';
import { readBody } from './read-body.ts';
import { Refusal } from './refusal.ts';

/** The routes for viewers of a session: follow, catch up, send. */
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
      session.openViewer(sink, cursorOf(c.req.raw), { account });
      context.accounts.checkOpened(account, sink);
      return response;
    })
    .get('/:id/events', async (c) => {
      const { record } = await sessionOf(context, c.req.param('id'), await accountOf(context, c.req.raw));
      const after = cursorOf(c.req.raw);
      const { events, missing, last } = await context.log.read(record.id, after, limitOf(c.req.raw));
      const next = events.at(-1)?.sequence;
      const readable = events.map(readableEvent).filter((event) => event !== undefined);
      const rest = {
        next_cursor: next !== undefined && next < last ? String(next) : null,
        last_sequence_num: last,
        missing,
      };
      return c.body(`{"data":[${readable.map(envelopeOf).join()}],${JSON.stringify(rest).slice(1)}`, 200, {
        'content-type': 'application/json',
      });
    })
    .post('/:id/events', async (c) => {
      const id = c.req.param('id');
      const account = await accountOf(context, c.req.raw);
      const session = await sessionOf(context, id, account);
      // The role is checked before the body: a viewer may send nothing, so its body is not read.
      if (account.role === 'viewer') throw forbidden('a viewer may send nothing', 'role');
      const limits = { maxBytes: bodyBytesOf(context, account, session), take: context.rates.ofAccount(account) };
      const body = await readBody(c.req.raw, limits, { list: 'events', maxEntries: MAX_ENTRIES });
      await refuseEnded(context, account);
      const { session_id: named } = body.members;
      if (named !== undefined && named !== id) {
        throw new Refusal(400, 'invalid_request_error', 'session_id is of another session');
      }
      // Every message of a client is stored.
      const options = { isEphemeral: () => false, isUnambiguous: account.role !== 'driver' };
      const posted = await postedEntries(entriesOf(body, 'events'), options);
      for (const entry of posted) refuseUnlessAllowed(account, entry);
      if (session.record.archived) throw new Refusal(410, 'session_not_active', 'the session was put away');
      const failure = session.agentFailure;
      if (failure !== undefined) throw new Refusal(502, failure.type, failure.message);
      const { name, role } = account;
      return c.json({ events: await session.postFromClient(posted, { source: 'client', name, role }) });
    });
}

/** The largest body that an account may send. */
function bodyBytesOf({ maxBodyBytes }: IngressContext, { role }: Account, session: Session): number {
  if (role === 'driver') return maxBodyBytes;
  return Math.min(maxBodyBytes, session.maxAnswerBytes);
}

/** Refuses a whole POST for one message that is refused or that this account may not send: the other messages may depend on it. */
function refuseUnlessAllowed(account: Account, entry: Entry | EntryRefusal): void {
  if (entry === 'invalid_entry') return;
  if (typeof entry === 'string') throw new Refusal(400, 'invalid_request_error', `an entry is refused: ${entry}`);
  if (!maySend(account, entry.type, entry.payload)) throw forbidden(`a ${account.role} may not send this`, 'role');
}

/** Begins the event stream of a request. */
export function openSink(c: Context<HonoTypes>) {
  // A HEAD request would leave a stream open that nobody reads.
  if (c.req.method === 'HEAD') {
    throw new Refusal(405, 'invalid_request_error', 'a stream is to be read', { headers: { allow: 'GET' } });
  }
  return (c.env?.openSink ?? openWebSink)(c.get('cors'));
}
