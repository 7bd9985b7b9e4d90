import type { Random } from '../../schedules/random.ts';
import { openSocket } from '../server/raw-socket.ts';
import { newSession, type Lease } from '../server/session.ts';
import type { Room } from './room.ts';
import { disguised, objectText, pick, shuffled } from './spelling.ts';
import type { Step } from './step.ts';

/** Steps that do what only the worker with the lease may do: with a wrong credential, or with a wrong or missing epoch. */
export const WORKER_STEPS: Readonly<Record<string, Step>> = {
  'worker-post': async (room, random, step) => {
    const { how, token, epoch } = await impostor(room, random);
    const mark = room.marks.forbid(step, `a POST as a worker, ${how}`);
    const { path, method, members } = pick(random, how === 'no epoch' ? REQUESTS.slice(0, 2) : REQUESTS)(mark);
    const body = objectText(random, shuffled(random, [epoch, ...members]));
    room.marks.describe(mark, path, body);
    const answer = await room.session.request(path, { method, token, body });
    room.unlessFailed(step, answer);
    // `register` must fail too, because it grants the lease only to a valid token.
    if (answer.status !== undefined && answer.status < 300) {
      room.found(step, `${path} as a worker, ${how}, is answered with 2xx`, `${method} ${body}\n    ${answer.text}`);
    }
  },
  'worker-line': async (room, random, step) => {
    const { how, token } = await impostor(room, random, ['no epoch', 'a future epoch', 'a past epoch', 'two epochs']);
    const mark = room.marks.forbid(step, `a WebSocket as a worker, ${how}`);
    const isResumable = random() < 0.5;
    const text = JSON.stringify({ type: 'assistant', message: mark });
    room.marks.describe(mark, isResumable ? 'sjp.v1' : 'bare', text);
    const socket = await openSocket(room.session.sockets.worker, {
      token,
      protocol: isResumable ? 'sjp.v1' : undefined,
    });
    if (isResumable) await socket.say(`{"ack":0,"stream":"s${room.unique()}","from":1}\n`);
    await socket.say(isResumable ? `{"id":1,"data":${text}}\n` : `${text}\n`);
    await socket.proved();
    socket.cut();
  },
  'lease-taken-away': async (room, random, step) => {
    // The previous worker loses the lease, and all its links end.
    const before = room.lease;
    room.agent.close();
    room.lease = await room.session.claimLease();
    await room.followAsAgent();
    const mark = room.marks.forbid(step, 'a worker whose lease was claimed');
    const event = { payload: { type: 'assistant', message: mark } };
    const body = JSON.stringify({
      worker_epoch: pick(random, [before.epoch, before.epoch + 1, undefined]),
      events: [event],
    });
    room.marks.describe(mark, 'POST worker/events', body);
    await room.session.request('/worker/events', { token: before.token, body });
    const hybrid = `/v1/session_ingress/session/${room.session.id}/events`;
    await room.session.request(hybrid, { token: before.token, body: JSON.stringify({ events: [event.payload] }) });
  },
};

/** The requests of a worker. `members` are the members of the body except the epoch. */
const REQUESTS: readonly ((mark: string) => {
  readonly path: string;
  readonly method: string;
  readonly members: readonly (readonly [string, string])[];
})[] = [
  (mark) => ({
    path: '/worker/events',
    method: 'POST',
    members: [['"events"', JSON.stringify([{ payload: { type: 'assistant', message: mark } }])]],
  }),
  (mark) => ({
    path: '/worker/events',
    method: 'POST',
    members: [['"events"', JSON.stringify([{ payload: { type: 'stream_event', event: mark }, ephemeral: true }])]],
  }),
  (mark) => ({ path: '/worker', method: 'PUT', members: [['"external_metadata"', JSON.stringify({ x: mark })]] }),
  (mark) => ({
    path: '/worker/internal-events',
    method: 'POST',
    members: [['"events"', JSON.stringify([{ payload: { type: 'user', message: mark } }])]],
  }),
];

const HOW = [
  'without a token',
  'with the token of a viewer',
  'with the token of the driver',
  'of another session',
  'with a token that is not signed',
  'with a token of another key',
  'no epoch',
  'a future epoch',
  'a past epoch',
  'two epochs',
] as const;

/** Clients that are not the worker with the lease. */
async function impostor(room: Room, random: Random, without: readonly string[] = []) {
  const { session, lease } = room;
  const how = pick(
    random,
    HOW.filter((one) => !without.includes(one)),
  );
  const own = ['"worker_epoch"', String(lease.epoch)] as const;
  const say = (token: string | undefined, epoch: readonly [string, string] = own) => ({ how, token, epoch });
  switch (how) {
    case 'without a token':
      return say(undefined);
    case 'with the token of a viewer':
      return say(session.token('viewer'));
    case 'with the token of the driver':
      return say(session.token('driver'));
    case 'of another session':
      return say((await (await newSession(session.server)).claimLease()).token);
    case 'with a token that is not signed':
      return say(unsigned(lease));
    case 'with a token of another key':
      return say(lease.token.slice(0, -4) + (lease.token.endsWith('AAAA') ? 'BBBB' : 'AAAA'));
    case 'no epoch':
      return say(lease.token, ['"x"', '0']);
    case 'a future epoch':
      return say(lease.token, ['"worker_epoch"', `${lease.epoch + 1}`]);
    case 'a past epoch':
      return say(lease.token, [
        '"worker_epoch"',
        pick(random, ['0', `"${lease.epoch - 1}"`, '-1', '1.5', 'null', '[]']),
      ]);
    case 'two epochs':
      return say(lease.token, [disguised(random, 'worker_epoch'), `${lease.epoch},"worker_epoch":${lease.epoch - 1}`]);
  }
}

function unsigned({ token }: Lease): string {
  const [, claims] = token.split('.');
  return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`;
}
