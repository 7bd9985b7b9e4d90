import type { Step } from '@proto/testkit/steps';

import {
  answerOf,
  ephemeralOf,
  largeReportOf,
  otherOf,
  promptOf,
  questionOf,
  reportOf,
  requestOf,
} from './messages.ts';
import { ANY, type Message, type Operation, type SessionWriter } from './session-writer.ts';

const BATCHES = [2, 3, 5, 20, 99, 100, 101];
const LARGE_BATCHES = [500, 1000];
const MOST_BATCHES = 4;
export const BAD_ENTRIES: readonly unknown[] = [
  {},
  [],
  'text',
  null,
  7,
  { type: 7 },
  { type: '' },
  { type: null, uuid: 'x' },
];
const hasWorker = ({ present }: SessionWriter) => present !== undefined;

/** Posts messages that the server must accept. */
function post(session: SessionWriter, messages: readonly Message[]): Step {
  session.note('driver', messages);
  return { post: messages.length === 1 ? messages[0] : messages, spec: 'EVS-38' };
}

/** Posts messages of the worker that has the lease, or that had it before. The rules check the answer. */
function postAs(session: SessionWriter, messages: readonly Message[], role = session.present ?? ''): Step {
  if (role === session.present) session.note(role, messages);
  return { post: messages.length === 1 ? messages[0] : messages, role, status: ANY };
}

/** The server may refuse the answer. */
function answer(role: string, message: Message): Step {
  return { post: message, role, status: ANY };
}

function several<T>(session: SessionWriter, create: () => T): T[] {
  return Array.from({ length: session.oneOf(BATCHES) }, create);
}

export const POST_OPERATIONS: readonly Operation[] = [
  { weight: 14, needs: ['sse'], steps: (session) => [post(session, [promptOf(session)])] },
  {
    weight: 6,
    needs: ['sse'],
    steps: (session) => [
      post(
        session,
        several(session, () => (session.isLucky(0.8) ? promptOf : session.oneOf([requestOf, otherOf]))(session)),
      ),
    ],
  },
  {
    weight: 6,
    needs: ['sse'],
    steps: (session) => [post(session, [requestOf(session), ...(session.isLucky(0.3) ? [promptOf(session)] : [])])],
  },
  { weight: 5, needs: ['sse'], steps: (session) => [post(session, [otherOf(session)])] },
  {
    weight: 3,
    needs: ['sse'],
    steps: (session) => {
      const messages = Array.from({ length: session.oneOf([1, 1, 2, 3]) }, () => promptOf(session));
      return [
        post(
          session,
          messages.map(({ uuid: _, ...message }) => message),
        ),
      ];
    },
  },
  {
    weight: 0.5,
    needs: ['sse'],
    // Too many events for one page of a catch-up.
    isPossible: ({ stored }) => stored < 1500,
    steps: (session) => {
      const times = session.oneOf(LARGE_BATCHES);
      const repeat = 1 + session.below(MOST_BATCHES);
      session.stored += times * repeat;
      const prompt = { type: 'user', uuid: '${uuid}', message: { role: 'user', content: 'one of many' } };
      return [{ repeat, steps: [{ post: { $repeat: [prompt], times }, spec: 'EVS-39' }] }];
    },
  },
  {
    weight: 2,
    needs: ['sse'],
    steps: (session) => {
      const [first, last] = [promptOf(session), promptOf(session)];
      session.note('driver', [first, last]);
      return [{ post: [first, session.oneOf(BAD_ENTRIES), last], status: ANY }];
    },
  },
  {
    weight: 2,
    needs: ['sse'],
    steps: (session) => {
      const message = promptOf(session);
      session.note('driver', [message]);
      const members = { source: 'worker', event_id: 'chosen', sequence_num: 1, ephemeral: true, historical: true };
      return [{ post: message, 'entry-members': members, spec: 'EVS-55' }];
    },
  },
  {
    weight: 3,
    needs: ['sse'],
    isPossible: ({ limited }) => limited.length > 0,
    steps: (session) => {
      const role = session.oneOf(session.limited);
      const message = session.oneOf([promptOf, requestOf, otherOf, reportOf])(session);
      return [{ post: session.isLucky(0.3) ? [{ type: 'keep_alive' }, message] : message, role, status: ANY }];
    },
  },
  {
    weight: 10,
    needs: ['worker'],
    isPossible: hasWorker,
    steps: (session) => [postAs(session, [reportOf(session)])],
  },
  {
    weight: 4,
    needs: ['worker'],
    isPossible: hasWorker,
    steps: (session) => [
      postAs(
        session,
        several(session, () => (session.isLucky(0.85) ? reportOf : questionOf)(session)),
      ),
    ],
  },
  {
    weight: 6,
    needs: ['worker'],
    isPossible: hasWorker,
    steps: (session) => [
      {
        post: session.isLucky(0.1) ? { type: 'keep_alive' } : ephemeralOf(session),
        'entry-members': { ephemeral: true },
        role: session.present,
        status: ANY,
      },
      ...(session.isLucky(0.6) ? [postAs(session, [reportOf(session)])] : []),
    ],
  },
  {
    weight: 2,
    needs: ['worker'],
    isPossible: hasWorker,
    steps: (session) => {
      // A message that fills the buffers of the readers, and small messages after it.
      const entries = [
        session.isLucky(0.4) ? largeReportOf : ephemeralOf,
        reportOf,
        ephemeralOf,
        ephemeralOf,
        reportOf,
      ].map((create) => {
        const payload = create(session);
        return { payload, ...(create === ephemeralOf ? { ephemeral: true } : {}) };
      });
      session.stored += 2;
      return [workerHttp(session, 'POST S/worker/events', { events: entries })];
    },
  },
  {
    weight: 2,
    needs: ['worker'],
    isPossible: hasWorker,
    steps: (session) => {
      const entries = [reportOf(session), session.oneOf(BAD_ENTRIES), { type: 'keep_alive' }, reportOf(session)];
      session.stored += 2;
      const members = { source: 'client', historical: true, sequence_num: 1 };
      return [{ post: entries, 'entry-members': members, role: session.present, status: ANY }];
    },
  },
  {
    weight: 8,
    needs: ['worker'],
    isPossible: hasWorker,
    steps: (session) => [
      postAs(session, [questionOf(session), ...(session.isLucky(0.3) ? [questionOf(session)] : [])]),
    ],
  },
  {
    weight: 10,
    needs: ['sse', 'worker'],
    isPossible: ({ asked }) => asked.length > 0,
    steps: (session) => {
      const id = session.isLucky(0.1) ? 'never-asked' : session.recentOf(session.asked);
      const first = answer(session.oneOf(session.accounts), answerOf(session, id));
      if (session.isLucky(0.6)) return [first];
      const both = [answerOf(session, id, true), answerOf(session, id, true)];
      if (session.isLucky(0.3)) return [{ post: both, status: ANY }];
      return [first, answer(session.oneOf(session.accounts), answerOf(session, id))];
    },
  },
  {
    weight: 2,
    needs: ['sse', 'worker'],
    isPossible: ({ asked }) => asked.length > 0,
    steps: (session) => {
      const id = session.recentOf(session.asked);
      const steps = [1, 2].map(() => answer('driver', answerOf(session, id, true)));
      return [{ 'at-once': steps }];
    },
  },
  {
    weight: 3,
    needs: ['worker'],
    isPossible: ({ asked, present }) => present !== undefined && asked.length > 0,
    steps: (session) => {
      const request_id = session.recentOf(session.asked);
      return [postAs(session, [{ type: 'control_cancel_request', uuid: session.newId(), request_id }])];
    },
  },
  {
    weight: 4,
    needs: ['worker'],
    isPossible: ({ requests, present }) => present !== undefined && requests.length > 0,
    steps: (session) => [postAs(session, [answerOf(session, session.recentOf(session.requests))])],
  },
  {
    weight: 8,
    needs: ['sse'],
    isPossible: ({ sent }) => sent.length > 0,
    steps: (session) => repeated(session),
  },
  {
    weight: 4,
    needs: ['sse'],
    steps: (session) => {
      const message = promptOf(session);
      session.note('driver', [message]);
      const loses = session.oneOf(['answer', 'request']);
      return [{ post: message, loses }, ...(session.isLucky(0.8) ? [{ post: message, spec: 'EVS-38' }] : [])];
    },
  },
  {
    weight: 3,
    needs: ['worker'],
    isPossible: hasWorker,
    steps: (session) => {
      const [role, message] = [session.present ?? '', reportOf(session)];
      const again = postAs(session, [message, reportOf(session)]);
      return [{ post: message, role, loses: session.oneOf(['answer', 'request']) }, again];
    },
  },
  {
    weight: 4,
    needs: ['sse', 'worker'],
    isPossible: hasWorker,
    steps: (session) => [
      {
        'at-once': Array.from({ length: 2 + session.below(5) }, () =>
          session.isLucky(0.5) ? post(session, [promptOf(session)]) : postAs(session, [reportOf(session)]),
        ),
      },
    ],
  },
];

/** Sends earlier messages again, as the same sender or as another one, unchanged or with another content. */
function repeated(session: SessionWriter): readonly Step[] {
  const { role, messages } = session.recentOf(session.sent);
  const [first] = messages;
  const isOwn = session.isLucky(0.6);
  const other = role === 'driver' ? session.present : 'driver';
  // The worker that has the lease repeats what an earlier worker has sent, because all workers of a session are one sender.
  const own = role === 'driver' || session.isLucky(0.2) ? role : (session.present ?? role);
  const sender = isOwn ? own : (other ?? role);
  const changed = session.isLucky(0.25) ? [{ ...first, changed: true }] : messages;
  const isTwice = session.isLucky(0.2) ? [...changed, ...changed] : changed;
  const after = session.isLucky(0.4) ? [sender === 'driver' ? promptOf(session) : reportOf(session)] : [];
  session.stored += after.length;
  return [{ post: [...isTwice, ...after], role: sender, status: ANY }];
}

/** A request of the worker that has the lease, with its epoch. The rules check the answer. */
export function workerHttp(session: SessionWriter, http: string, body: object, role = session.present ?? ''): Step {
  return { http, role, body: { worker_epoch: `\${${role}.epoch}`, ...body }, status: ANY };
}
