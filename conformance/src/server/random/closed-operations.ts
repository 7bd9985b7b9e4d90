import type { Step } from '@proto/testkit/steps';

import { answerOf, promptOf, questionOf, reportOf } from './messages.ts';
import { ANY, type Operation, type Reader, type SessionWriter, together } from './session-writer.ts';

const NOT_THE_END = { $not: { '$one-of': [1000, 1001, 1005] } };
const FOR_GOOD = { '$one-of': [4001, 4003] };
const BUSY = { '$one-of': [429, { '$at-least': 500, '$at-most': 599 }] };
const WITHIN = { within: 5000 };
/** Characters that a connection may not be able to take at once. */
const MANY = 2_000_000;

function expectClose(by: string, code: unknown, spec: string): Step {
  return { 'expect-close': code === ANY ? ANY : { code }, by, spec, ...WITHIN };
}

function resumed(reader: Reader): readonly Step[] {
  const isPaused = reader.isPaused;
  reader.isPaused = false;
  return isPaused ? [{ resume: reader.name }] : [];
}

/** Operations whose outcome is known, because each one contains everything that it depends on. */
export const CLOSED_OPERATIONS: readonly Operation[] = [
  {
    weight: 4,
    needs: ['worker'],
    isPossible: ({ readers, present }) => readers.some(({ worker }) => worker !== undefined && worker === present),
    steps: (session) => {
      const readers = session.readers.filter(({ worker, over }) => worker === session.present && over !== 'numbered');
      const worker = session.newName('w');
      const endings = readers.flatMap((reader) => [
        ...resumed(reader),
        // The code does not reach a reader that still has much to read.
        reader.over === 'stream' || session.longTexts > MANY
          ? expectClose(reader.name, ANY, 'WRK-13')
          : expectClose(reader.name, 4003, 'ERR-26'),
      ]);
      session.workers.push(worker);
      session.take(worker);
      return [together([{ worker }, ...endings])];
    },
  },
  {
    weight: 6,
    needs: ['sse', 'worker'],
    isPossible: ({ readers }) => readers.some(({ worker, over }) => worker === undefined && over === 'stream'),
    steps: (session) => {
      const viewers = session.readers.filter(({ worker, over }) => worker === undefined && over === 'stream');
      const [worker, question] = [session.newName('w'), questionOf(session)];
      const id = String(question['request_id']);
      session.workers.push(worker);
      session.take(worker);
      const isCancel = session.isLucky(0.3);
      const uuid = session.newId();
      const ending: Step = isCancel
        ? { post: { type: 'control_cancel_request', uuid, request_id: id }, role: worker, spec: 'WRK-24' }
        : { post: answerOf(session, id, true), spec: 'EVS-38' };
      session.settled.push(id);
      const data = { request_id: id, outcome: isCancel ? 'cancelled' : 'answered' };
      return [
        together([
          { worker },
          { post: question, role: worker, spec: 'WRK-24' },
          ending,
          ...viewers.flatMap((reader) => [
            ...resumed(reader),
            { expect: { frame: { kind: 'control_resolved', data } }, by: reader.name, spec: 'REM-38', ...WITHIN },
          ]),
        ]),
      ];
    },
  },
  { weight: 2, needs: ['sse', 'worker'], steps: answerToRepeated },
  { weight: 2, needs: ['sse', 'worker'], steps: echoes },
  { weight: 0.5, needs: ['sse'], isPossible: ({ longTexts }) => longTexts === 0, steps: storedDuringCatchUp },
  {
    weight: 1,
    needs: ['websocket'],
    steps: (session) => {
      const by = session.newName('x');
      const credential = session.oneOf([null, { type: 'oauth', token: 'a-token-that-nobody-has' }, { type: 'oauth' }]);
      return [
        together([
          { open: by, over: 'websocket', role: 'nobody' },
          { say: { type: 'auth', credential }, by },
          expectClose(by, NOT_THE_END, 'WSK-22'),
        ]),
      ];
    },
  },
  {
    weight: 1,
    needs: ['websocket'],
    steps: (session) => {
      const by = session.newName('x');
      const isUnknown = session.isLucky(0.5);
      const how = isUnknown ? { to: 'cse_does_not_exist' } : { role: { token: 'a-token-that-nobody-has' } };
      return [together([{ open: by, over: 'websocket', ...how }, expectClose(by, isUnknown ? 4001 : 4003, 'WSK-23')])];
    },
  },
  {
    weight: 1,
    needs: ['websocket.worker'],
    steps: (session) => {
      const [old, next, by] = [session.newName('w'), session.newName('w'), session.newName('x')];
      session.workers.push(old, next);
      session.take(next);
      return [
        together([
          { worker: old },
          { worker: next },
          { open: by, over: 'websocket', role: old },
          expectClose(by, FOR_GOOD, 'WSK-34'),
        ]),
      ];
    },
  },
  {
    weight: 1,
    needs: ['sse'],
    steps: (session) => {
      const by = session.newName('x');
      const isAbove = session.isLucky(0.5);
      const data = isAbove ? { verdict: 'gap', reason: 'unknown_cursor' } : { verdict: ANY };
      return [
        together([
          { open: by, ...(isAbove ? { from: 1_000_000 } : {}), spec: 'EVS-1' },
          { expect: { frame: { kind: 'resume', data } }, by, spec: isAbove ? 'RES-34' : 'EVS-21', ...WITHIN },
          { close: by },
        ]),
      ];
    },
  },
  {
    weight: 0.15,
    needs: ['sse', 'retention'],
    isPossible: ({ profile, longTexts }) => profile.limits.retention !== undefined && longTexts === 0,
    steps: (session) => {
      const by = session.newName('x');
      session.longTexts += session.profile.limits.retention ?? 0;
      const content = { $repeat: 'x', times: '${limits.half}' };
      const large = { post: { type: 'user', uuid: '${uuid}', message: { role: 'user', content } }, within: 60_000 };
      const [frame, spec] = session.oneOf<readonly [object, string]>([
        [{ kind: 'resume', data: { verdict: 'gap', reason: 'evicted' } }, 'RES-33'],
        [{ kind: 'catch_up_truncated' }, 'RES-31'],
      ]);
      session.stored += 3;
      const first = { post: { type: 'user', uuid: session.newId(), message: { role: 'user', content: 'old' } } };
      return [
        together([
          first,
          large,
          large,
          { open: by, spec: 'EVS-1' },
          { expect: { frame }, by, spec, within: 20_000 },
          { close: by },
        ]),
      ];
    },
  },
];

/** A worker repeats a question that was answered or that it has cancelled, because it got no answer to its POST, and another answer arrives. */
function answerToRepeated(session: SessionWriter): readonly Step[] {
  const [worker, reader, question] = [session.newName('w'), session.newName('x'), questionOf(session)];
  const id = String(question['request_id']);
  session.workers.push(worker);
  session.take(worker);
  session.settled.push(id);
  const late = answerOf(session, id, true);
  const mark = promptOf(session);
  session.note('driver', [mark]);
  const cancel = { type: 'control_cancel_request', uuid: session.newId(), request_id: id };
  const ending: Step = session.isLucky(0.3)
    ? { post: cancel, role: worker, spec: 'WRK-24' }
    : { post: answerOf(session, id, true), spec: 'EVS-38' };
  const others = session.isLucky(0.5) ? [reportOf(session)] : [];
  return [
    together([
      { worker },
      { open: reader, role: worker, spec: 'EVS-1' },
      { post: question, role: worker, spec: 'WRK-24' },
      ending,
      { post: [question, ...others], role: worker, status: ANY },
      { post: late, role: session.oneOf(session.accounts), status: ANY },
      { post: mark, spec: 'EVS-38' },
      { 'expect-none': { uuid: late.uuid }, until: { uuid: mark.uuid }, by: reader, spec: 'REM-35', ...WITHIN },
      { close: reader },
    ]),
  ];
}

/** Events that are stored while a viewer still has to receive a large log. */
function storedDuringCatchUp(session: SessionWriter): readonly Step[] {
  const by = session.newName('x');
  const content = { $repeat: 'backlog ', times: 100_000 };
  const prompts = Array.from({ length: 2 + session.below(4) }, () => promptOf(session));
  const last = promptOf(session);
  session.longTexts += 2_400_000;
  session.stored += 3;
  session.note('driver', [...prompts, last]);
  return [
    { repeat: 3, steps: [{ post: { type: 'user', uuid: '${uuid}', message: { role: 'user', content } } }] },
    together([
      { 'at-once': [{ open: by, spec: 'EVS-1' }, ...prompts.map((post) => ({ post, spec: 'EVS-38' }))] },
      { post: last, spec: 'EVS-38' },
      // The prompts arrive in any order, because they were sent at the same time.
      { 'expect-all': [...prompts, last].map(({ uuid }) => ({ uuid })), by, spec: 'RES-29', ...WITHIN },
      { close: by },
    ]),
  ];
}

/** A worker that has the lease sends back what viewers have sent, as agents do, with members that the viewers did not send. */
function echoes(session: SessionWriter): readonly Step[] {
  const worker = session.newName('w');
  session.workers.push(worker);
  session.take(worker);
  const prompt = promptOf(session);
  const questions = [questionOf(session), questionOf(session)];
  const answers = questions.map(({ request_id: id }) => answerOf(session, String(id), true));
  session.settled.push(...questions.map(({ request_id: id }) => String(id)));
  session.note('driver', [prompt]);
  const echo = session.isLucky(0.7) ? { isReplay: true, session_id: 'of-the-agent' } : {};
  return [
    together([
      { worker },
      { post: questions, role: worker, spec: 'WRK-24' },
      { post: [prompt, ...answers], spec: 'EVS-38' },
      { post: [prompt, ...answers].map((message) => ({ ...message, ...echo })), role: worker, spec: 'WRK-24' },
    ]),
  ];
}

export function archive(session: SessionWriter): Step {
  const viewers = session.readers.filter(({ worker }) => worker === undefined);
  const ended = viewers.flatMap((reader): readonly Step[] => {
    if (reader.over === 'numbered') return [];
    const isStream = reader.over === 'stream';
    const frame = { kind: 'session_archived' };
    return [
      ...resumed(reader),
      isStream
        ? { expect: { frame }, by: reader.name, spec: 'EVS-22', ...WITHIN }
        : expectClose(reader.name, 1000, 'ERR-22'),
    ];
  });
  return together([{ archive: 's' }, ...ended]);
}

export function fill(session: SessionWriter): readonly Step[] {
  const streams = session.profile.limits.streams ?? 0;
  const all = { repeat: streams, steps: [{ open: 'full${round}', status: ANY }] };
  if (session.declares('websocket') && session.isLucky(0.5)) {
    const code = { $not: { '$one-of': [1000, 1001, 1002, 4001, 4003] } };
    return [together([all, { open: 'above', over: 'websocket' }, expectClose('above', code, 'ERR-21')])];
  }
  return [together([all, { open: 'above', status: BUSY, spec: 'ERR-7' }])];
}
