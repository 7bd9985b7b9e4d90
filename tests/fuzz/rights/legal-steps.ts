import type { Random } from '../../schedules/random.ts';
import { nameOf } from '../server/accounts.ts';
import { openSocket } from '../server/raw-socket.ts';
import { body, entry } from './disguises.ts';
import { answerTo } from './forbidden.ts';
import type { Room } from './room.ts';
import { pick, randomValue, shuffled, valueText } from './spelling.ts';
import type { Message } from './stream-reader.ts';
import type { Step } from './step.ts';

/** Steps that send allowed messages in any spelling: they must be delivered, since a server must not refuse everything. */
export const LEGAL_STEPS: Readonly<Record<string, Step>> = {
  prompts: async (room, random, step) => {
    const payloads = Array.from({ length: 1 + Math.floor(random() * 3) }, () => prompt(room, random));
    const text = body(
      random,
      payloads.map((payload) => entry(random, payload)),
    );
    const answer = await room.post(step, 'driver', { body: text });
    room.mustBeKept(step, answer, payloads, 'client', nameOf('driver', room.session.number));
  },
  'prompts-by-socket': async (room, random, step) => {
    const payloads = Array.from({ length: 1 + Math.floor(random() * 3) }, () => prompt(room, random));
    const lines = payloads.map((payload) => valueText(random, payload).replace(/[\r\n]/g, ' '));
    await sayByRight(room, random, step, 'driver', payloads, lines);
  },
  'an-answer': async (room, random, step) => {
    const payload = answerTo(
      await room.ask(step),
      { uuid: `answer-${room.unique()}` },
      { message: room.marks.allow() },
    );
    if (random() < 0.5) {
      const answer = await room.post(step, 'approver', { body: body(random, [entry(random, payload)]) });
      room.mustBeKept(step, answer, [payload], 'client', nameOf('approver', room.session.number));
    } else
      await sayByRight(room, random, step, 'approver', [payload], [valueText(random, payload).replace(/[\r\n]/g, ' ')]);
  },
  'a-refusal': async (room, random, step) => {
    const requestId = await room.ask(step);
    const response = { subtype: 'error', request_id: requestId, error: room.marks.allow() };
    const payload = { type: 'control_response', response, uuid: `answer-${room.unique()}` };
    const answer = await room.post(step, 'approver', { body: body(random, [entry(random, payload)]) });
    room.mustBeKept(step, answer, [payload], 'client', nameOf('approver', room.session.number));
  },
  'keep-alives': async (room, random, step) => {
    const text = body(random, [entry(random, { type: 'keep_alive' })]);
    const answer = await room.post(step, pick(random, ['approver', 'driver'] as const), { body: text });
    if (answer.status !== 200) room.found(step, 'a keep_alive is refused', `${answer.status} ${answer.text}`);
  },
  'messages-of-the-worker': async (room, random, step) => {
    const payloads = Array.from({ length: 1 + Math.floor(random() * 3) }, () => said(room, random));
    if (room.medium !== 'sse') {
      for (const payload of payloads) await room.workerSays(step, payload);
      return;
    }
    const members = [['"worker_epoch"', pick(random, [String(room.lease.epoch), `"${room.lease.epoch}"`])] as const];
    const entries = payloads.map((payload) => entry(random, payload));
    const text = `{${shuffled(random, [...members, ['"events"', `[${entries.join()}]`] as const])
      .map((pair) => pair.join(':'))
      .join()}}`;
    room.mustBeKept(step, await room.asWorker(step, '/worker/events', { body: text }), payloads, 'worker');
  },
  'messages-of-a-hybrid-worker': async (room, random, step) => {
    // Published workers send no epoch on this path.
    const payloads = Array.from({ length: 1 + Math.floor(random() * 3) }, () => said(room, random));
    const text = `{"events":[${payloads.map((payload) => valueText(random, payload)).join()}]}`;
    const address = `/v1/session_ingress/session/${room.session.id}/events`;
    room.mustBeKept(step, await room.asWorker(step, address, { body: text }), payloads, 'worker');
  },
};

function prompt(room: Room, random: Random): Message {
  const content = pick(random, [
    room.marks.allow(),
    `\u2028${room.marks.allow()}\u0000"`,
    `${room.marks.allow()}\n{"type":"x"}`,
  ]);
  return withMore(room, random, { type: 'user', message: { role: 'user', content } }, 'prompt');
}

function said(room: Room, random: Random): Message {
  const message = { role: 'assistant', content: [{ type: 'text', text: room.marks.allow() }] };
  return withMore(room, random, { type: 'assistant', message }, 'said');
}

/** Creates members that no rule names, and members that rules name in other places. */
function withMore(room: Room, random: Random, message: Message, what: string): Message {
  return {
    ...message,
    uuid: `${what}-${room.unique()}`,
    ...(random() < 0.5 && { x: randomValue(random) }),
    ...(random() < 0.2 && { source: 'worker', sender: 'somebody', event_id: 'e', sequence_num: 1 }),
    ...(random() < 0.2 && { payload: randomValue(random), events: randomValue(random) }),
  };
}

/** Sends a message over a WebSocket, in plain lines or `sjp.v1`. Only the log shows that the message was accepted. */
async function sayByRight(
  room: Room,
  random: Random,
  step: string,
  role: 'driver' | 'approver',
  payloads: readonly Message[],
  lines: readonly string[],
) {
  const { session } = room;
  const isResumable = random() < 0.5;
  const socket = await openSocket(session.sockets.viewer, {
    token: session.token(role),
    protocol: isResumable ? 'sjp.v1' : undefined,
  });
  if (isResumable) await socket.say(`{"ack":0,"stream":"s${room.unique()}","from":1}\n`);
  const all = isResumable ? lines.map((line, index) => `{"id":${index + 1},"data":${line}}`) : lines;
  if (random() < 0.5) await socket.say(`${all.join('\n')}\n`);
  else for (const line of all) await socket.say(`${line}${random() < 0.5 ? '' : '\n'}`);
  await socket.proved();
  const [reader] = room.readers;
  await reader?.until(
    () => payloads.every(({ uuid }) => reader.text.includes(String(uuid))) || socket.code !== undefined,
  );
  for (const payload of payloads) {
    room.kept.push({
      step,
      eventId: String(payload['uuid']),
      payload,
      source: 'client',
      sender: nameOf(role, session.number),
    });
  }
  socket.cut();
}
