import { Agent } from 'node:http';
import { accountList, nameOf, ROLES, tokenOf } from '../server/accounts.ts';
import { openSocket } from '../server/raw-socket.ts';
import { jsonOf, sendRequest } from '../server/send-request.ts';
import { type FuzzSession, newSession } from '../server/session.ts';
import { type FuzzServer, startServer } from '../server/start-server.ts';
import type { Finding } from './marks.ts';

/** A test that needs its own server, because it changes what all sessions depend on. Returns the defects. */
export type Trial = (server: FuzzServer) => Promise<readonly (readonly [kind: string, detail: string])[]>;

/** The time in which a server has to notice that its accounts have changed. */
const NOTICED_MS = 10_000;

/** The trials by name. */
export const TRIALS: Readonly<Record<string, Trial>> = {
  'revoked-accounts': async (server) => {
    const session = await newSession(server);
    const tickets = await Promise.all(ROLES.map((role) => ticketOf(session, role)));
    const talking = await openSocket(session.sockets.viewer, { token: session.token('driver') });
    await talking.proved();
    const gone = ROLES.map((role) => nameOf(role, session.number));
    server.writeAccounts(JSON.stringify({ accounts: accountList().filter(({ name }) => !gone.includes(name)) }));
    const isOut = await isSoon(async () => (await statusFor(session, session.token('driver'))) === 401);
    if (!isOut) return [['the server accepts a revoked account', 'GET of the session']];
    const wrong: [string, string][] = [];
    for (const ticket of tickets) {
      if ((await streamByTicket(session, ticket)) === 200)
        wrong.push(['a ticket of a revoked account opens a stream', '']);
    }
    await talking.say('{"type":"user","message":"illegal_0_0_"}\n');
    await talking.proved();
    const log = await session.request('/events', { method: 'GET', token: tokenOf('driver', session.number + 1) });
    if (log.text.includes('illegal_0_0_'))
      wrong.push(['the server accepts a message of a revoked account over an open WebSocket', '']);
    talking.cut();
    return wrong;
  },
  'broken-accounts': (server) => accountsInTrouble(server, () => server.writeAccounts('{"accounts":[')),
  'deleted-accounts': (server) => accountsInTrouble(server, () => server.deleteAccounts()),
  'limited-accounts': async (server) => {
    const [own, other] = [await newSession(server), await newSession(server)];
    const token = 'limited-token-0123456789';
    const limited = { name: 'limited', role: 'driver' as const, token, sessions: [own.id] };
    server.writeAccounts(JSON.stringify({ accounts: [...accountList(), limited] }));
    if (!(await isSoon(async () => (await statusFor(own, token)) === 200)))
      return [['an account may not enter its session', own.id]];
    const body = '{"events":[{"payload":{"type":"user","message":"illegal_0_0_"}}]}';
    const answers = [
      await other.request('/events', { token, body }),
      await other.request('', { token, method: 'GET' }),
      await other.request('/events', { token, method: 'GET' }),
      await other.request('/tickets', { token }),
      await other.request('/bridge', { token }),
      await other.request('/archive', { token }),
      await other.request('/v1/code/sessions', { token, body: '{}' }),
    ];
    const taken = answers.flatMap(({ status }, index) => (status === undefined || status < 300 ? [index] : []));
    const said = await own.request('/events', { token, body: '{"events":[{"payload":{"type":"user"}}]}' });
    return [
      ...taken.map(
        (index) => ['an account that is limited to one session can use another session', `request ${index}`] as const,
      ),
      ...(said.status === 200
        ? []
        : [
            [
              'an account that is limited to one session cannot send in that session',
              `${said.status} ${said.text}`,
            ] as const,
          ]),
    ];
  },
  'a-flood-of-tickets': async (server) => {
    const session = await newSession(server);
    const ticket = await ticketOf(session, 'driver');
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    const ask = () => session.request('/tickets', { token: session.token('viewer'), agent });
    for (let asked = 0; asked < 10_100; asked += 20) await Promise.all(Array.from({ length: 20 }, ask));
    agent.destroy();
    const status = await streamByTicket(session, ticket);
    return status === 200 ? [] : [['the tickets of a viewer void the ticket of a driver', String(status)]];
  },
};

/** Runs a trial on a new server. */
export async function findingsOfTrial(name: string): Promise<readonly Finding[]> {
  const trial = TRIALS[name];
  if (trial === undefined) throw new Error(`no such trial: ${name}. There are: ${Object.keys(TRIALS).join(', ')}`);
  await using server = await startServer();
  return (await trial(server)).map(([kind, detail]) => ({ kind, step: name, detail }));
}

/** Checks that a server without valid accounts refuses every client with a status that allows a retry. */
async function accountsInTrouble(server: FuzzServer, spoil: () => void) {
  const session = await newSession(server);
  const token = session.token('driver');
  spoil();
  const isOut = await isSoon(async () => (await statusFor(session, token)) === 503);
  const reported = await server.failures();
  server.writeAccounts(JSON.stringify({ accounts: accountList() }));
  const isIn = await isSoon(async () => (await statusFor(session, token)) === 200);
  const wrong: [string, string][] = [];
  if (!isOut) wrong.push(['a file of accounts that cannot be read lets everybody in', `GET of the session`]);
  if (reported.length === 0)
    wrong.push(['the server does not report that the file of accounts cannot be read', 'onError']);
  if (!isIn) wrong.push(['a file of accounts that was repaired lets nobody in', '']);
  return wrong;
}

async function ticketOf(session: FuzzSession, role: (typeof ROLES)[number]): Promise<string> {
  return String(jsonOf(await session.request('/tickets', { token: session.token(role) }))['ticket']);
}

async function streamByTicket({ server, path }: FuzzSession, ticket: string): Promise<number | undefined> {
  const url = `${server.url}${path}/events/stream?ticket=${ticket}`;
  return (await sendRequest(url, { method: 'GET', signal: AbortSignal.timeout(2000) })).status;
}

async function statusFor(session: FuzzSession, token: string): Promise<number | undefined> {
  return (await session.request('', { method: 'GET', token })).status;
}

async function isSoon(isSo: () => Promise<boolean>): Promise<boolean> {
  for (const end = performance.now() + NOTICED_MS; performance.now() < end; ) {
    if (await isSo()) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}
