import type { Step } from '@proto/testkit/steps';

import { open, openAny } from './link-operations.ts';
import { answerOf, incrementOf, promptOf, questionOf, reportOf, requestOf } from './messages.ts';
import { type Operation, type Reader, type SessionWriter, together } from './session-writer.ts';

const BAD_LINES = ['this is not JSON\n', '[1,2]\n', '{"no_type":1}\n', '\n', 'null\n', '{"type":7}\n'];
const WITHIN = { within: 5000 };
const hasWorker = ({ present }: SessionWriter) => present !== undefined;

/** A line on the socket of a worker that has lost its lease. */
function lineAfterTheLease(session: SessionWriter): readonly Step[] {
  const [by, reader, next] = [session.newName('x'), session.newName('x'), session.newName('w')];
  const [late, mark] = [reportOf(session), promptOf(session)];
  const role = session.present;
  session.workers.push(next);
  session.take(next);
  session.note('driver', [mark]);
  return [
    together([
      { open: by, over: 'websocket', role },
      // The worker does not read that its socket is closed.
      { pause: by },
      { worker: next },
      { say: late, by },
      { open: reader, spec: 'EVS-1' },
      { post: mark, spec: 'EVS-38' },
      { 'expect-none': { uuid: late.uuid }, until: { uuid: mark.uuid }, by: reader, spec: 'WRK-57', within: 5000 },
      { close: reader },
    ]),
  ];
}

/** An answer on a viewer's socket to a request of the worker that is already answered. */
function answerToSettled(session: SessionWriter): readonly Step[] {
  const [by, reader, worker] = [session.newName('x'), session.newName('x'), session.newName('w')];
  const question = questionOf(session);
  const id = String(question['request_id']);
  const [first, late, mark] = [answerOf(session, id, true), answerOf(session, id, true), promptOf(session)];
  session.workers.push(worker);
  session.take(worker);
  session.settled.push(id);
  session.note('driver', [mark]);
  return [
    together([
      { worker },
      { post: question, role: worker, spec: 'WRK-24' },
      { post: first, spec: 'EVS-38' },
      { open: by, over: 'websocket' },
      { say: late, by },
      // The socket has read the line before it answers the ping.
      { ping: by, spec: 'WSK-31' },
      { open: reader, role: worker, spec: 'EVS-1' },
      { post: mark, spec: 'EVS-38' },
      { 'expect-none': { uuid: late.uuid }, until: { uuid: mark.uuid }, by: reader, spec: 'REM-35', ...WITHIN },
      { close: reader },
      { close: by },
    ]),
  ];
}

/** Events that a worker receives on one socket after the other, without a proof that it has received them. */
function unprovedEvents(session: SessionWriter): readonly Step[] {
  const worker = session.newName('w');
  const prompt = promptOf(session);
  session.workers.push(worker);
  session.take(worker);
  session.note('driver', [prompt]);
  const names = Array.from({ length: 2 + session.below(3) }, () => session.newName('x'));
  return [
    together([
      { worker },
      ...names.flatMap((name, at) => {
        const isCut = session.isLucky(0.5);
        const headers = { 'x-last-request-id': session.newId() };
        const opening = { open: name, over: 'websocket', role: worker, 'holds-pongs': true };
        const received = { expect: { uuid: prompt.uuid }, by: name, ...WITHIN };
        return [
          { ...opening, ...(isCut ? { proxied: true } : {}), ...(at > 0 && session.isLucky(0.5) ? { headers } : {}) },
          ...(at === 0 ? [{ post: prompt, spec: 'EVS-38' }] : []),
          { ...received, spec: at === 0 ? 'REM-26' : 'RES-22' },
          isCut ? { cut: name, how: session.oneOf(['rst', 'fin']) } : { close: name },
        ];
      }),
    ]),
  ];
}

/** An account that may not send prompts sends one in a frame whose other lines it may send. */
function promptAmongOthers(session: SessionWriter): readonly Step[] {
  const [by, reader] = [session.newName('x'), session.newName('x')];
  const [hidden, mark] = [promptOf(session), promptOf(session)];
  const lines = [{ type: 'keep_alive' }, hidden, { type: 'keep_alive', x_unknown: 1 }].map((line) =>
    JSON.stringify(line),
  );
  const first = session.below(2);
  session.note('driver', [mark]);
  return [
    together([
      { open: by, over: 'websocket', role: session.oneOf(session.limited) },
      { 'say-text': `${lines.slice(first).join('\n')}\n`, by },
      // The server has read the frame before it answers the ping, unless it closes the socket.
      { ping: by, 'or-closed': true, spec: 'WSK-31' },
      { open: reader, spec: 'EVS-1' },
      { post: mark, spec: 'EVS-38' },
      { 'expect-none': { uuid: hidden.uuid }, until: { uuid: mark.uuid }, by: reader, spec: 'REM-55', ...WITHIN },
      { close: reader },
      { close: by },
    ]),
  ];
}

/** A viewer sends a frame in which a line that is not a message comes before prompts. */
function badLineAmongPrompts(session: SessionWriter): readonly Step[] {
  const [by, reader] = [session.newName('x'), session.newName('x')];
  const prompts = Array.from({ length: 2 + session.below(2) }, () => promptOf(session));
  const lines = prompts.map(({ type, uuid }) =>
    JSON.stringify({ type, uuid, message: { role: 'user', content: 'a' } }),
  );
  const bad = session.oneOf(BAD_LINES.filter((line) => line.length > 1));
  const frame = lines.toSpliced(session.below(lines.length), 0, bad.trimEnd()).join('\n');
  session.stored += prompts.length;
  return [
    together([
      { open: reader, spec: 'EVS-1' },
      { open: by, over: 'websocket' },
      { 'say-text': `${frame}\n`, by },
      ...prompts.map(({ uuid }) => ({ expect: { uuid }, by: reader, spec: 'WSK-11', ...WITHIN })),
      { close: reader },
      { close: by },
    ]),
  ];
}

const sockets = ({ readers }: SessionWriter, over: Reader['over']) =>
  readers.filter((each) => each.over === over && !each.isPaused);

/** Durable and ephemeral messages of a worker in one frame, while a viewer reads. */
function mixedFrame(session: SessionWriter): readonly Step[] {
  const steps = [...openAny(session), ...open(session, { over: 'plain', worker: session.present })];
  const by = session.readers.at(-1)?.name;
  const lines = Array.from({ length: 2 + session.below(4) }, () => workerLine(session));
  return [...steps, { 'say-text': lines.join('\n'), by }];
}

function workerLine(session: SessionWriter): string {
  return session.isLucky(0.5) ? JSON.stringify(incrementOf(session)) : durableLine(session);
}

function durableLine(session: SessionWriter): string {
  session.stored += 1;
  return `{"type":"user","uuid":"${session.newId()}","n":1}`;
}

/** A server may close the socket of an account that sends what it may not send. */
function endIfLimited(session: SessionWriter, reader: Reader): void {
  if (session.limited.includes(reader.role)) session.end(reader);
}

/** Sends lines over a plain socket, one or several in a frame. */
function says(session: SessionWriter, reader: Reader): readonly Step[] {
  const { name: by, worker } = reader;
  endIfLimited(session, reader);
  const message = () => {
    if (worker === undefined && session.asked.length > 0 && session.isLucky(0.25))
      return answerOf(session, session.recentOf(session.asked));
    if (worker === undefined) return session.isLucky(0.8) ? promptOf(session) : requestOf(session);
    return session.isLucky(0.7) ? reportOf(session) : incrementOf(session);
  };
  if (session.isLucky(0.15))
    return [
      { 'say-text': session.oneOf(BAD_LINES), by },
      { say: message(), by },
    ];
  if (session.isLucky(0.1)) return [{ say: { type: 'keep_alive' }, by }];
  // A line that is larger than a buffer, and a small line after it.
  if (session.isLucky(0.12)) {
    const text = { $repeat: 'large ', times: session.oneOf([12_000, 30_000]) };
    return [
      { say: { type: 'user', uuid: session.newId(), message: { role: 'user', content: text } }, by },
      { say: message(), by },
    ];
  }
  if (session.isLucky(0.1))
    return [
      { say: { type: 'auth', uuid: session.newId(), credential: null }, by },
      { say: message(), by },
    ];
  if (session.isLucky(0.6)) return [{ say: message(), by }];
  const create = worker === undefined ? durableLine : workerLine;
  const lines = Array.from({ length: 1 + session.below(5) }, () => create(session));
  const end = session.isLucky(0.5) ? '\n' : '';
  if (session.isLucky(0.6)) return [{ 'say-text': lines.join('\n') + end, by }];
  // The server ignores a line between others.
  const [ignored, spec] = session.oneOf([
    ['{"type":"keep_alive"}', 'WSK-28'],
    ['this is not JSON', 'WSK-11'],
  ] as const);
  const all = lines.toSpliced(session.below(lines.length + 1), 0, ignored);
  return [{ 'say-text': all.join('\n') + end, by, spec }];
}

export const SOCKET_OPERATIONS: readonly Operation[] = [
  {
    weight: 3,
    needs: ['sse', 'worker', 'websocket.worker'],
    isPossible: (session) => hasWorker(session) && session.hasRoom,
    steps: mixedFrame,
  },
  { weight: 2, needs: ['sse', 'worker', 'websocket.worker'], isPossible: hasWorker, steps: lineAfterTheLease },
  { weight: 2, needs: ['sse', 'worker', 'websocket'], steps: answerToSettled },
  { weight: 2, needs: ['sse', 'worker', 'websocket.worker'], steps: unprovedEvents },
  { weight: 2, needs: ['sse', 'websocket'], steps: badLineAmongPrompts },
  {
    weight: 2,
    needs: ['sse', 'websocket'],
    isPossible: ({ limited }) => limited.length > 0,
    steps: promptAmongOthers,
  },
  {
    weight: 8,
    isPossible: (session) => sockets(session, 'plain').length > 0,
    steps: (session) => says(session, session.oneOf(sockets(session, 'plain'))),
  },
  {
    weight: 6,
    isPossible: (session) => sockets(session, 'numbered').length > 0,
    steps: (session) => {
      const reader = session.oneOf(sockets(session, 'numbered'));
      endIfLimited(session, reader);
      const data = reader.worker === undefined ? promptOf(session) : reportOf(session);
      reader.lines.push(data);
      session.stored += 1;
      return [{ say: { id: reader.lines.length, data }, by: reader.name }];
    },
  },
  {
    weight: 3,
    isPossible: (session) => session.readers.some(({ over, isPaused }) => over !== 'stream' && !isPaused),
    steps: (session) => {
      const { name } = session.oneOf(session.readers.filter(({ over, isPaused }) => over !== 'stream' && !isPaused));
      return [{ ping: name, 'or-closed': true, spec: 'WSK-31' }];
    },
  },
];
