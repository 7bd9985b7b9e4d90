import type { Step } from '@proto/testkit/steps';

import { archive } from './closed-operations.ts';
import { answerOf, promptOf, questionOf, reportOf } from './messages.ts';
import { workerHttp } from './post-operations.ts';
import { ANY, type Operation, type SessionWriter, together } from './session-writer.ts';

const hasWorker = ({ present }: SessionWriter) => present !== undefined;

/** What a worker sends while it loses its lease. */
function requestOfWorker(session: SessionWriter): Step {
  const role = session.present;
  return session.oneOf<() => Step>([
    () => ({ post: [reportOf(session), reportOf(session)], role }),
    () => ({ post: questionOf(session), role }),
    () => workerHttp(session, 'PUT S/worker', { worker_status: 'running', external_metadata: { late: 1 } }),
    () => workerHttp(session, 'POST S/worker/heartbeat', {}),
  ])();
}

/** Requests whose body arrives in two parts. What a server decides when a body begins may be wrong when the body ends. */
export const DIVIDED_BODIES: readonly Operation[] = [
  {
    weight: 2,
    needs: ['worker'],
    isPossible: hasWorker,
    steps: (session) => {
      const late = requestOfWorker(session);
      const next = session.newName('w');
      session.workers.push(next);
      session.take(next);
      return [together([{ ...late, meanwhile: [{ worker: next }], status: 409, spec: 'WRK-4' }])];
    },
  },
  {
    weight: 2,
    needs: ['sse', 'worker'],
    isPossible: ({ asked }) => asked.length > 0,
    steps: (session) => {
      const id = session.recentOf(session.asked);
      const answer = (decides: boolean): Step => ({ post: answerOf(session, id, decides), status: ANY });
      return [{ ...answer(true), meanwhile: [answer(session.isLucky(0.7))] }];
    },
  },
  {
    weight: 2,
    needs: ['sse'],
    steps: (session) => {
      // With characters of several bytes, the body is divided within a character.
      const [slow, other] = [{ ...promptOf(session), text: 'ä😀' }, promptOf(session)];
      session.note('driver', [slow]);
      const isSame = session.isLucky(0.4);
      if (!isSame) session.note('driver', [other]);
      return [{ post: slow, spec: 'EVS-59', meanwhile: [{ post: isSame ? slow : other, spec: 'EVS-38' }] }];
    },
  },
];

/** Archives the session while a message arrives. */
export function archiveMeanwhile(session: SessionWriter): Step {
  const isWorker = session.present !== undefined && session.isLucky(0.5);
  const late = isWorker ? { post: reportOf(session), role: session.present } : { post: promptOf(session) };
  return { ...late, meanwhile: [archive(session)], status: { '$at-least': 400, '$at-most': 499 }, spec: 'REM-45' };
}
