import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort } from '@proto/test-support';
import { createAccounts, createMemoryEventLog, type IngressServer, listen } from '@proto/ingress';
import { type Random, randomFrom } from '../../schedules/random.ts';
import { oddRequest, oneOf } from './odd-requests.ts';
import { markOf, startRawOwner, UNASKED } from './raw-owner.ts';

/** Which server has the session that an odd request names: the one that is asked, another node, or a listener that keeps every byte. */
const OWNERS = ['same', 'other', 'raw'] as const;
type Owner = (typeof OWNERS)[number];

const TOKENS = { viewer: 'viewer-token-0123456789', driver: 'driver-token-0123456789' };
/** New servers are started after so many exchanges, because odd requests leave streams and tickets open. */
const EXCHANGES_OF_A_ROOM = 200;
/** A client that gets no answer leaves after this time. */
const PATIENCE_MS = 10_000;

/** What has gone wrong, and in which exchange. */
export interface FramingFinding {
  readonly exchange: number;
  readonly what: string;
  readonly written: string;
}

/** The options of a run. */
export interface FramingOptions {
  readonly seed: number;
  /** The end of the run, on the clock of `performance.now()`. */
  readonly until?: number;
  /** The largest number of exchanges. Default: no limit. */
  readonly exchanges?: number;
  /** Runs only this exchange. */
  readonly only?: number | undefined;
  readonly onFinding?: (finding: FramingFinding) => void;
}

/**
 * An attacker writes requests to a node that programs may read differently. Before and after, clients send usual requests. A request that is hidden in
 * the body of another request must not be answered, and must not change a session. A node may forward only the requests that it received, each with
 * unambiguous framing.
 */
export async function runFraming(options: FramingOptions) {
  const { seed, until = Number.POSITIVE_INFINITY, only, onFinding = () => {} } = options;
  const exchanges = only === undefined ? (options.exchanges ?? Number.POSITIVE_INFINITY) : 1;
  const findings: FramingFinding[] = [];
  let count = 0;
  while (count < exchanges && (count === 0 || performance.now() < until)) {
    await using room = await openRoom(randomFrom(seed, 'room', count));
    for (let here = 0; here < EXCHANGES_OF_A_ROOM && count < exchanges; here++) {
      const exchange = only ?? count;
      count++;
      for (const found of await runExchange(room, randomFrom(seed, 'framing', exchange), exchange)) {
        findings.push(found);
        onFinding(found);
      }
      if (performance.now() > until) break;
    }
  }
  return { exchanges: count, findings };
}

type Room = Awaited<ReturnType<typeof openRoom>>;

/** Two nodes, and a listener in place of a third node. Each has two sessions: one for usual requests, and one that only hidden requests name. */
async function openRoom(random: Random) {
  const raw = await startRawOwner(random);
  const store = createMemoryEventLog();
  const accounts = await createAccounts(
    (['viewer', 'driver'] as const).map((role) => ({ name: role, role, token: TOKENS[role] })),
  );
  const limits = { maxRequestsPerSecond: 1e9, maxStreams: 1e6 };
  const node = async (clusterUrl?: string): Promise<IngressServer> => {
    const port = await freePort();
    const url = clusterUrl ?? `http://127.0.0.1:${port}`;
    return listen({ log: store.another(), accounts, port, cluster: { url }, onError: () => {}, limits });
  };
  const [asked, other, behindRaw] = await Promise.all([node(), node(), node(raw.url)]);
  const create = async (server: IngressServer) => {
    const { body } = await call(server.url, 'POST', '/v1/code/sessions', '{}');
    return (JSON.parse(body) as { session: { id: string } }).session.id;
  };
  const sessionsOf = async (server: IngressServer) => {
    const [session, target] = [await create(server), await create(server)];
    return { server, session, target };
  };
  const owners = { same: await sessionsOf(asked), other: await sessionsOf(other), raw: await sessionsOf(behindRaw) };
  return {
    raw,
    store,
    asked,
    owners,
    /** The marks of all visible requests. A node may forward a request after the exchange, when its client has left. */
    marks: new Set<string>(),
    /** The marks of the requests that have arrived at the listener. */
    arrived: new Set<string>(),
    async [Symbol.asyncDispose]() {
      raw.close();
      await Promise.all([asked, other, behindRaw].map((server) => server.close()));
      await store.close();
    },
  };
}

async function runExchange(room: Room, random: Random, exchange: number): Promise<readonly FramingFinding[]> {
  const { raw, asked, owners } = room;
  raw.random = random;
  const owner: Owner = oneOf(random, OWNERS);
  const { session, target } = owners[owner];
  const written: string[] = [];
  const whats: string[] = [];
  const count = 1 + Math.floor(random() * 3);
  for (let n = 0; n < count; n++) {
    const mark = `odd-${exchange}-${n}`;
    room.marks.add(mark);
    const token = oneOf(random, [TOKENS.viewer, TOKENS.viewer, TOKENS.viewer, undefined]);
    const paths = { session: pathOf(session), target: pathOf(target) };
    written.push(oddRequest(random, { ...paths, token, mark, hidden: `hidden-${exchange}-${n}` }));
  }
  const attack = attacker(asked.url, written.join(''), random);
  const attempts: { readonly mark: string; readonly answered: Promise<Answered> }[] = [];
  for (let n = 0; n < 3; n++) {
    if (n === 1) await attack.answered;
    const mark = `usual-${exchange}-${n}`;
    room.marks.add(mark);
    attempts.push({ mark, answered: usual(room, owner, mark) });
    if (random() < 0.5) await attempts.at(-1)?.answered.catch(() => {});
  }
  for (const { mark, answered } of attempts) {
    const why = await answered.then(
      (answer) => faultOf(answer, owner, mark),
      (error: Error) => `a usual request failed: ${error.message}`,
    );
    if (why !== undefined) whats.push(why);
  }
  const seen = await attack.leave();
  if (seen.includes(UNASKED)) whats.push('the attacker got an answer that nobody has asked for');
  whats.push(...arrivedAt(room), ...(await damageIn(room, owner)));
  return whats.map((what) => ({ exchange, what: `[${owner}] ${what}`, written: written.join('') }));
}

/** Returns what is wrong with the requests that have arrived at the listener. */
function arrivedAt({ raw, marks, arrived }: Room): readonly string[] {
  const { requests, faults } = raw.taken();
  const whats = faults.map((fault) => `a node sent bytes that are not a request: ${fault}`);
  for (const request of requests) {
    const mark = markOf(request);
    const inHeader = request.headers.find(([name]) => name === 'x-mark')?.[1];
    const isForwarded = request.headers.some(([name]) => name === 'x-sjp-forwarded-by');
    if (mark === undefined || !marks.has(mark) || mark !== inHeader || !isForwarded) {
      whats.push(`a request arrived that no node meant: ${request.line}`);
    } else if (arrived.has(mark)) {
      whats.push(`a request arrived twice: ${request.line}`);
    } else if (mark.startsWith('usual') && request.body !== bodyOf(mark)) {
      whats.push(`a usual request arrived with another body: ${request.line}`);
    }
    if (mark !== undefined) arrived.add(mark);
  }
  return whats;
}

/** Returns the changes of sessions that only hidden requests have named. */
async function damageIn({ owners, store }: Room, owner: Owner): Promise<readonly string[]> {
  if (owner === 'raw') return [];
  const { server, target } = owners[owner];
  const { body } = await call(server.url, 'GET', pathOf(target));
  const { status } = (JSON.parse(body) as { session: { status?: string } }).session;
  const { last } = await store.read(target, 0);
  return status === 'archived' || last > 0 ? [`a hidden request has changed a session: ${status}, ${last} events`] : [];
}

interface Answered {
  readonly status: number;
  readonly body: string;
}

function bodyOf(mark: string): string {
  return JSON.stringify({
    events: [{ payload: { type: 'user', uuid: mark, message: { role: 'user', content: mark } } }],
  });
}

/** A prompt of a driver. */
function usual({ asked, owners }: Room, owner: Owner, mark: string): Promise<Answered> {
  return call(asked.url, 'POST', `${pathOf(owners[owner].session)}/events?mark=${mark}`, bodyOf(mark), mark);
}

function faultOf({ status, body }: Answered, owner: Owner, mark: string): string | undefined {
  const isAnswer = owner === 'raw' ? body === JSON.stringify({ mark }) : body.includes(mark);
  return status === 200 && isAnswer ? undefined : `a usual request got the answer ${status} ${body.slice(0, 200)}`;
}

async function call(url: string, method: string, path: string, body?: string, mark = 'none'): Promise<Answered> {
  const headers = { authorization: `Bearer ${TOKENS.driver}`, 'content-type': 'application/json', 'x-mark': mark };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const response = await fetch(`${url}${path}`, { method, headers, signal, ...(body !== undefined && { body }) });
  return { status: response.status, body: await response.text() };
}

/** A client that writes bytes, whole or in two pieces, and keeps its connection open until it leaves. */
function attacker(url: string, text: string, random: Random) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let seen = '';
  const answered = new Promise<void>((resolve) => {
    socket
      .on('error', () => {})
      .on('data', (chunk) => {
        seen += chunk.toString('latin1');
        resolve();
      });
    socket.once('close', () => resolve());
    setTimeout(resolve, PATIENCE_MS / 20).unref();
  });
  const cut = Math.floor(random() * text.length);
  const [isCut, endsFirst] = [random() < 0.5, random() < 0.3];
  socket.write(text.slice(0, isCut ? cut : text.length), 'latin1', () => {
    if (isCut) socket.write(text.slice(cut), 'latin1');
    if (endsFirst) socket.end();
  });
  return {
    answered,
    async leave(): Promise<string> {
      socket.destroy();
      if (!socket.closed) await once(socket, 'close');
      return seen;
    },
  };
}

function pathOf(session: string): string {
  return `/v1/code/sessions/${session}`;
}
