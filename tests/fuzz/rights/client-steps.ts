import type { Random } from '../../schedules/random.ts';
import { type Answer, sendRequest } from '../server/send-request.ts';
import { openSocket } from '../server/raw-socket.ts';
import { BODY_DISGUISES, body, entry, MESSAGE_DISGUISES, TWICE } from './disguises.ts';
import { encoded, framed } from './encodings.ts';
import { answerTo, forbidden } from './forbidden.ts';
import type { Room } from './room.ts';
import { pick } from './spelling.ts';
import type { Step } from './step.ts';

type Sender = 'viewer' | 'approver';

/** Bodies have far more forms than other input, so these steps run more often. */
const POSTS_OF_A_STEP = 4;

/** Steps that send what viewers and approvers may not send, over every endpoint that takes messages of clients. */
export const CLIENT_STEPS: Readonly<Record<string, Step>> = {
  'viewer-post': (room, random, step) => post(room, random, step, 'viewer'),
  'approver-post': async (room, random, step) => {
    for (let time = 0; time < POSTS_OF_A_STEP; time++) await post(room, random, step, 'approver');
  },
  'viewer-line': (room, random, step) => say(room, random, step, 'viewer'),
  'approver-line': (room, random, step) => say(room, random, step, 'approver'),
  'viewer-answer': async (room, random, step) => {
    // A message that an approver may send.
    const mark = room.marks.forbid(step, 'a viewer answers');
    const requestId = await room.ask(step);
    const message = answerTo(requestId, { x: mark });
    const text = body(random, [entry(random, message)]);
    room.marks.describe(mark, 'POST', text);
    mustNotBeTaken(room, step, mark, await room.post(step, 'viewer', { body: text }));
    await sayAll(room, random, step, 'viewer', [JSON.stringify(answerTo(requestId, { x: mark }))], false);
  },
  'other-address': async (room, random, step) => {
    const mark = room.marks.forbid(step, 'a POST to an address like that of the events');
    const { id, path } = room.session;
    const address = pick(random, [
      `${path}/events/`,
      `${path}//events`,
      `${path}/%65vents`,
      `${path}/events/stream`,
      `${path}/./events`,
      `${path}/worker/events`,
      `${path}/worker/../events`,
      `${path.replace(id, encodeURIComponent(id).replace('_', '%5f'))}/events`,
      `${path}/events?ticket=x`,
      `/v1/session_ingress/session/${id}/events`,
      `/V1/CODE/SESSIONS/${id}/events`,
    ]);
    const { message } = forbidden(random, mark, room.unique());
    const text = JSON.stringify({ worker_epoch: room.lease.epoch, events: [{ payload: message }, message] });
    room.marks.describe(mark, address, text);
    const method = pick(random, ['POST', 'PUT', 'PATCH', 'DELETE']);
    const role = pick(random, ['viewer', 'approver'] as const);
    mustNotBeTaken(
      room,
      step,
      mark,
      await room.session.request(address, { method, token: room.session.token(role), body: text }),
    );
  },
  'no-account': async (room, random, step) => {
    const mark = room.marks.forbid(step, 'a POST without a right to the session');
    const { message } = forbidden(random, mark, room.unique());
    const [how, headers] = pick(random, [
      ['no token', {}],
      ['an unknown token', { authorization: 'Bearer unknown-token-0123456789' }],
      ['the token of the worker', { authorization: `Bearer ${room.lease.token}` }],
      ['the token of an account that is limited to others', { authorization: 'Bearer elsewhere-token-0123456789' }],
      ['a token in the address', {}],
      ['two tokens', { authorization: `Bearer x, Bearer ${room.session.token('driver')}` }],
      ['another scheme', { authorization: `Basic ${room.session.token('driver')}` }],
    ] as const);
    const text = body(random, [entry(random, message)]);
    room.marks.describe(mark, how, text);
    const query = how === 'a token in the address' ? `?token=${room.session.token('driver')}` : '';
    const answer = await sendRequest(`${room.server.url}${room.session.path}/events${query}`, { headers, body: text });
    mustNotBeTaken(room, step, mark, answer);
  },
};

async function post(room: Room, random: Random, step: string, role: Sender): Promise<void> {
  const inBody = random() < 0.5;
  const disguises = inBody ? BODY_DISGUISES : MESSAGE_DISGUISES;
  const how = inBody && random() < 0.4 ? pick(random, TWICE) : pick(random, Object.keys(disguises));
  const mark = room.marks.forbid(step, `a POST of ${role === 'viewer' ? 'a viewer' : 'an approver'}, ${how}`);
  const { what, message: bad } = forbidden(random, mark, room.unique());
  const cover = random() < 0.5 ? { type: 'keep_alive' } : answerTo(await room.ask(step));
  const made = (disguises[how] as (typeof disguises)[string])({ random, bad, cover });
  const text = inBody ? made : body(random, [`{"payload":${made}}`]);
  const { how: encoding, ...options } = encoded(random, text);
  room.marks.describe(mark, `${what}, ${encoding}`, text);
  await room.post(step, role, options);
}

async function say(room: Room, random: Random, step: string, role: Sender): Promise<void> {
  const how = pick(random, Object.keys(MESSAGE_DISGUISES));
  const isResumable = random() < 0.5;
  const medium = isResumable ? 'an sjp.v1 WebSocket' : 'a bare WebSocket';
  const mark = room.marks.forbid(step, `${medium} of ${role === 'viewer' ? 'a viewer' : 'an approver'}, ${how}`);
  const { what, message: bad } = forbidden(random, mark, room.unique());
  const cover = random() < 0.5 ? { type: 'keep_alive' } : answerTo(await room.ask(step));
  const text = (MESSAGE_DISGUISES[how] as (typeof MESSAGE_DISGUISES)[string])({ random, bad, cover });
  // A line break inside the message would end the line.
  const line = text.replace(/[\r\n]/g, ' ');
  const lines = random() < 0.5 ? [line] : [JSON.stringify(cover), line];
  room.marks.describe(mark, what, lines.join('\n'));
  await sayAll(
    room,
    random,
    step,
    role,
    isResumable ? lines.map((one, index) => numbered(random, one, index + 1, JSON.stringify(cover))) : lines,
    isResumable,
  );
}

async function sayAll(
  room: Room,
  random: Random,
  step: string,
  role: Sender,
  lines: readonly string[],
  isResumable: boolean,
) {
  const { session } = room;
  const isLate = random() < 0.3;
  const token = session.token(role);
  const socket = await openSocket(session.sockets.viewer, {
    token: isLate ? undefined : token,
    protocol: isResumable ? 'sjp.v1' : undefined,
  });
  if (socket.status >= 500) room.found(step, `an upgrade is answered with ${socket.status}`, lines.join('\n'));
  if (isLate) await socket.say(`{"type":"auth","credential":{"type":"oauth","token":"${token}"}}\n`);
  if (isResumable) await socket.say(`{"ack":0,"stream":"s${room.unique()}","from":1}\n`);
  for (const frame of framed(random, lines).frames) await socket.write(frame);
  await socket.proved();
  if (socket.code === 1011) room.found(step, 'a WebSocket ends with 1011', lines.join('\n'));
  socket.cut();
}

/** Creates a line of `sjp.v1`, also in forms that a parser may take for another message. */
function numbered(random: Random, line: string, id: number, cover: string): string {
  return pick(random, [
    `{"id":${id},"data":${line}}`,
    `{"id":${id},"data":${line}}`,
    `{"id":${id},"source":"worker","data":${line}}`,
    `{ "id": ${id}, "data": ${line} }`,
    `{"data":${line}}`,
    `{"id":"${id}","data":${line}}`,
    `{"id":${id},"x":1,"data":${line}}`,
    `{"id":${id},"data":${cover},"data":${line}}`,
    `{"id":${id},"data":${line},"data":${cover}}`,
    `{"id":${id},"d\\u0061ta":${line},"data":${cover}}`,
    `{"id":${id},"data":${cover}},{"data":${line}}`,
    `{"ack":0,"data":${line}}`,
    `{"event":"ephemeral_event","data":${line}}`,
    line,
  ]);
}

/** Checks that a request refused for its sender is not answered as if it had been accepted. */
function mustNotBeTaken(room: Room, step: string, mark: string, { status, text }: Answer): void {
  if (status === undefined || status >= 500) room.found(step, `the server answers ${status ?? 'nothing'}`, text);
  else if (status < 300)
    room.found(step, 'a request that the sender may not make is answered with 2xx', `${mark} ${text}`);
}
