import { jsonOf } from '../server/send-request.ts';
import { openSocket } from '../server/raw-socket.ts';
import { newSession, patiently } from '../server/session.ts';
import type { Room } from './room.ts';
import { pick } from './spelling.ts';
import type { Step } from './step.ts';
import { type Medium, readEvents, readSocket } from './stream-reader.ts';

const ROLES = ['viewer', 'approver', 'driver'] as const;

/** Steps that read: which credentials may read, and what reading may cause. */
export const READING_STEPS: Readonly<Record<string, Step>> = {
  ticket: async (room, random, step) => {
    const role = pick(random, ROLES);
    const other = await newSession(room.server);
    const ticket = await ticketOf(room, step, role);
    const bySocket = random() < 0.5;
    const open = (session: Room['session']) => openByTicket(session, ticket, bySocket);
    const kind = random();
    // After a ticket was used for the wrong session, it may or may not still be valid for the right session.
    if (kind < 0.4 && (await open(other))) return room.found(step, 'a ticket opens another session', '');
    if (kind >= 0.4 && !(await open(room.session))) room.found(step, 'a ticket opens nothing', role);
    else if (kind >= 0.4 && (await open(room.session))) room.found(step, 'a ticket opens a second stream', '');
    return undefined;
  },
  'reading-starts-no-agent': async (room, random, step) => {
    const role = pick(random, ['viewer', 'approver'] as const);
    const { server } = room;
    // A session without other activity: any request for an agent comes from this step.
    const session = await newSession(server);
    const before = await server.needs(session.id);
    const token = session.token(role);
    const how = pick(random, [
      'an event stream',
      'a bare WebSocket',
      'an sjp.v1 WebSocket',
      'a ticket',
      'a list',
      'a refused POST',
    ]);
    if (how === 'an event stream') await openStream(`${server.url}${session.path}/events/stream`, token);
    else if (how === 'a ticket') await openByTicket(session, await ticketOf(room, step, role, session), false);
    else if (how === 'a list') await session.request('/events', { method: 'GET', token });
    else if (how === 'a refused POST')
      await session.request('/events', { token, body: '{"events":[{"payload":{"type":"user"}}]}' });
    else await openAndClose(session, { token, protocol: how === 'a bare WebSocket' ? 'bare' : 'sjp.v1' });
    if ((await server.needs(session.id)) !== before)
      room.found(step, `${how}, which is not of a driver, starts an agent`, role);
  },
  'reading-of-others': async (room, random, step) => {
    const { session, server } = room;
    const token = pick(random, [undefined, 'unknown-token-0123456789', 'elsewhere-token-0123456789', room.lease.token]);
    const status = await openStream(`${server.url}${session.path}/events/stream`, token);
    const list = await session.request('/events', { method: 'GET', token });
    const record = await session.request('', { method: 'GET', token });
    const socket = await openAndClose(session, { token });
    if ([status, list.status, record.status].some((one) => one === 200) || socket > 0) {
      room.found(
        step,
        'a client without the right to read can read',
        `${token}: ${status} ${list.status} ${record.status} ${socket}`,
      );
    }
  },
  'reading-by-right': async (room, random, step) => {
    const { session, server } = room;
    const role = pick(random, ROLES);
    const token = session.token(role);
    await room.driverSays(step, { type: 'user', message: room.marks.allow(), uuid: `read-${room.unique()}` });
    const status = await openStream(`${server.url}${session.path}/events/stream`, token);
    const list = await session.request('/events', { method: 'GET', token });
    const received = await openAndClose(session, {
      token,
      protocol: pick(random, ['bare', 'sjp.v1'] as const),
      awaitsMessage: true,
    });
    if (status !== 200 || list.status !== 200 || received === 0) {
      room.found(
        step,
        'an account with the right to read cannot read',
        `${role}: ${status} ${list.status} ${received}`,
      );
    }
  },
};

async function ticketOf(
  room: Room,
  step: string,
  role: (typeof ROLES)[number],
  session = room.session,
): Promise<string> {
  const { ticket } = jsonOf(await patiently(() => session.request('/tickets', { token: session.token(role) })));
  if (typeof ticket !== 'string') room.found(step, 'an account gets no ticket', role);
  return String(ticket);
}

/** Returns whether a ticket opens a stream. */
async function openByTicket(session: Room['session'], ticket: string, bySocket: boolean): Promise<boolean> {
  const query = `?ticket=${encodeURIComponent(ticket)}`;
  if (!bySocket) return (await openStream(`${session.server.url}${session.path}/events/stream${query}`)) === 200;
  const socket = await openSocket(`${session.sockets.viewer}${query}`);
  await socket.proved();
  const isOpen = socket.status === 101 && socket.code === undefined;
  socket.cut();
  return isOpen;
}

/** Opens a stream, closes it, and returns its status. */
async function openStream(url: string, token?: string): Promise<number> {
  const reader = await readEvents('a stream', url, token);
  reader.close();
  return reader.status;
}

/** Returns how many messages a WebSocket receives before it is cut. If `awaitsMessage` is true, waits for a message or for the close by the server. */
async function openAndClose(
  session: Room['session'],
  options: { readonly token: string | undefined; readonly protocol?: Medium; readonly awaitsMessage?: boolean },
): Promise<number> {
  const reader = await readSocket('reads', session.sockets.viewer, options.protocol ?? 'bare', options.token);
  await reader.socket.proved();
  if (options.awaitsMessage === true)
    await reader.until(() => reader.messages.length > 0 || reader.socket.code !== undefined);
  reader.close();
  return reader.messages.length;
}
