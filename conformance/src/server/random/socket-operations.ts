import type { Step } from '@proto/testkit/steps';

import { answerOf, promptOf, questionOf, reportOf } from './messages.ts';
import { type Operation, type SessionWriter, together } from './session-writer.ts';

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

/** Events that a worker has received on a socket, without a proof that it has received them, when the socket ends. */
function unprovedEvents(session: SessionWriter): readonly Step[] {
  const [first, second, worker] = [session.newName('x'), session.newName('x'), session.newName('w')];
  const prompt = promptOf(session);
  const isCut = session.isLucky(0.5);
  const headers = { 'x-last-request-id': session.newId() };
  session.workers.push(worker);
  session.take(worker);
  session.note('driver', [prompt]);
  return [
    together([
      { worker },
      { open: first, over: 'websocket', role: worker, 'holds-pongs': true, ...(isCut ? { proxied: true } : {}) },
      { post: prompt, spec: 'EVS-38' },
      { expect: { uuid: prompt.uuid }, by: first, spec: 'REM-26', ...WITHIN },
      isCut ? { cut: first, how: session.oneOf(['rst', 'fin']) } : { close: first },
      { open: second, over: 'websocket', role: worker, ...(session.isLucky(0.5) ? { headers } : {}) },
      { expect: { uuid: prompt.uuid }, by: second, spec: 'RES-22', ...WITHIN },
      { close: second },
    ]),
  ];
}

export const SOCKET_OPERATIONS: readonly Operation[] = [
  { weight: 2, needs: ['sse', 'worker', 'websocket.worker'], isPossible: hasWorker, steps: lineAfterTheLease },
  { weight: 2, needs: ['sse', 'worker', 'websocket'], steps: answerToSettled },
  { weight: 2, needs: ['sse', 'worker', 'websocket.worker'], steps: unprovedEvents },
];
