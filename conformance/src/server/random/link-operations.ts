import type { Step } from '@proto/testkit/steps';

import { ephemeralOf, promptOf, reportOf } from './messages.ts';
import { ANY, type Operation, type Reader, type SessionWriter, together } from './session-writer.ts';

const CUTS = ['rst', 'fin', 'stall'];
/** Parameters that are not defined for the stream of a viewer. Some of them are defined for other requests. */
const UNKNOWN_QUERIES = [
  'x_unknown=1',
  'keepalive_tolerance_seconds=40&x_unknown',
  'limit=1',
  'after=2',
  'cursor=2&after_id=2',
  'subagents=true&from_first_event=true',
];

interface Opening {
  readonly over: Reader['over'];
  /** The worker that reads; `undefined` for a viewer. */
  readonly worker?: string | undefined;
  readonly after?: Reader | undefined;
}

/** Opens a connection, at the beginning, at a number or at the cursor of an earlier connection. */
export function open(session: SessionWriter, { over, worker, after }: Opening): readonly Step[] {
  const name = session.newName(worker === undefined ? 'v' : 'r');
  const isProxied = session.isLucky(0.4);
  const stream = after?.over === over ? after.stream : name;
  const lines = stream === name ? [] : [...(after?.lines ?? [])];
  const role = worker ?? session.oneOf(session.accounts);
  // A server may end the earlier connections of a worker.
  for (const reader of session.readers.filter((each) => worker !== undefined && each.worker === worker))
    session.end(reader);
  session.readers.push({ name, over, role, worker, isProxied, stream, lines, isPaused: false });
  const step = { open: name, role, ...(isProxied ? { proxied: true } : {}) };
  if (over === 'numbered') return [numbered(session, step, stream)];
  const from =
    after?.over === 'stream' ? after.name : session.isLucky(0.3) ? session.below(session.stored + 1) : undefined;
  if (over === 'stream') return [streamOf(session, step, from)];
  if (worker !== undefined) {
    const headers = { 'x-last-request-id': session.oneOf(session.sent)?.messages.at(-1)?.uuid ?? 'none' };
    return [{ ...step, over: 'websocket', ...(session.isLucky(0.5) ? { headers } : {}) }];
  }
  if (session.isLucky(0.3)) return withLine(session, step);
  return [{ ...step, over: 'websocket', ...(typeof from === 'number' ? { from } : {}) }];
}

function streamOf(session: SessionWriter, step: Step, from: string | number | undefined): Step {
  const isWorker = session.workers.includes(String(step['role']));
  const asked = from === undefined ? {} : { from };
  if (!isWorker && session.isLucky(0.15))
    return { ...step, ...asked, query: session.oneOf(UNKNOWN_QUERIES), spec: 'EVS-30' };
  if (!isWorker) return { ...step, ...asked, spec: 'EVS-1' };
  if (typeof from === 'number' && session.isLucky(0.3)) {
    const other = session.below(session.stored + 1);
    return { ...step, ...asked, query: `from_sequence_num=${other}` };
  }
  const place = session.isLucky(0.6) ? { 'cursor-in': session.oneOf(['header', 'query', 'both']) } : {};
  return { ...step, ...asked, ...(from === undefined ? {} : place), spec: 'EVS-1' };
}

/** A viewer whose credential is in its first line, or follows a line that the server may refuse. */
function withLine(session: SessionWriter, step: Step): readonly Step[] {
  const auth = { type: 'auth', credential: { type: 'oauth', token: `\${tokens.${String(step['role'])}}` } };
  const by = String(step['open']);
  const isEarly = session.isLucky(0.2);
  const reader = session.readers.at(-1) as Reader;
  reader.isAuthenticatedByLine = true;
  if (isEarly) session.end(reader);
  const early = { type: 'user', uuid: session.newId(), message: { role: 'user', content: 'too early' } };
  return [
    together([
      { ...step, role: 'nobody', over: 'websocket' },
      ...(session.present !== undefined && session.isLucky(0.5) ? incrementAndReport(session) : []),
      ...(isEarly ? [{ say: early, by }] : []),
      { say: auth, by },
    ]),
  ];
}

/** What the worker sends while a viewer has not sent its credential. */
function incrementAndReport(session: SessionWriter): readonly Step[] {
  return [incrementPosted(session), { post: reportOf(session), role: session.present, status: ANY }];
}

function incrementPosted(session: SessionWriter): Step {
  return { post: ephemeralOf(session), 'entry-members': { ephemeral: true }, role: session.present, status: ANY };
}

function numbered(session: SessionWriter, step: Step, stream: string): Step {
  const ack = session.isLucky(0.5) ? session.below(session.stored + 1) : 0;
  const by = String(step['open']);
  const { lines } = session.readers.at(-1) as Reader;
  return together([
    { ...step, over: 'websocket', subprotocol: 'sjp.v1', from: ack, query: '' },
    { say: { ack, stream: `x-${stream}-\${session}`, from: 1, type: 'keep_alive' }, by },
    { expect: { frame: { kind: 'greeting' } }, by, spec: 'WSK-41' },
    ...lines.map((data, at) => ({ say: { id: at + 1, data }, by })),
  ]);
}

const kinds = (session: SessionWriter, isWorker: boolean): readonly Reader['over'][] => {
  const stream = session.declares(isWorker ? 'worker' : 'sse');
  const socket = session.declares(isWorker ? 'websocket.worker' : 'websocket');
  return [
    ...(stream ? (['stream', 'stream', 'stream'] as const) : []),
    ...(socket ? (['plain'] as const) : []),
    ...(session.declares('sjp.v1') && (isWorker ? socket : true) ? (['numbered'] as const) : []),
  ];
};

export function openAny(session: SessionWriter, worker?: string, after?: Reader): readonly Step[] {
  const over =
    after !== undefined && session.isLucky(0.8) ? after.over : session.oneOf(kinds(session, worker !== undefined));
  return open(session, { over, worker, after });
}

/** Opens a connection instead of one that has ended, if its reader may still read. */
function reopen(session: SessionWriter, ended: Reader): readonly Step[] {
  if (ended.worker !== undefined && ended.worker !== session.present) return [];
  return session.isLucky(0.85) ? openAny(session, ended.worker, ended) : [];
}

const proxied = ({ readers }: SessionWriter) => readers.filter(({ isProxied, isPaused }) => isProxied && !isPaused);

export const LINK_OPERATIONS: readonly Operation[] = [
  { weight: 9, isPossible: ({ hasRoom }) => hasRoom, steps: (session) => openAny(session) },
  {
    weight: 6,
    needs: ['worker'],
    isPossible: ({ hasRoom, present }) => hasRoom && present !== undefined,
    steps: (session) => openAny(session, session.present),
  },
  {
    weight: 4,
    isPossible: ({ readers }) => readers.length > 0,
    steps: (session) => {
      const reader = session.oneOf(session.readers);
      session.end(reader);
      return [{ close: reader.name }, ...reopen(session, reader)];
    },
  },
  {
    weight: 8,
    isPossible: (session) => proxied(session).length > 0,
    steps: (session) => {
      const reader = session.oneOf(proxied(session));
      const how = session.oneOf(CUTS);
      session.end(reader, how === 'stall');
      const post = { post: promptOf(session), spec: 'EVS-38' };
      session.stored += 1;
      return [{ cut: reader.name, how }, ...(session.isLucky(0.5) ? [post] : []), ...reopen(session, reader)];
    },
  },
  {
    weight: 4,
    needs: ['sse'],
    isPossible: (session) => proxied(session).length > 0,
    steps: (session) => {
      const reader = session.oneOf(proxied(session));
      session.end(reader, true);
      const text = { $repeat: 'cut in the middle ', times: 1 + session.below(400) };
      const message = { type: 'user', uuid: session.newId(), message: { role: 'user', content: text } };
      session.note('driver', [message]);
      return [
        { cut: reader.name, how: session.oneOf(CUTS), 'after-bytes': 1 + session.below(2500) },
        { post: message, spec: 'EVS-38' },
        ...reopen(session, reader),
      ];
    },
  },
  {
    weight: 4,
    isPossible: ({ readers }) => readers.some(({ isPaused }) => !isPaused),
    steps: (session) => {
      const reader = session.oneOf(session.readers.filter(({ isPaused }) => !isPaused));
      reader.isPaused = true;
      return [{ pause: reader.name }];
    },
  },
  {
    weight: 3,
    isPossible: ({ readers }) => readers.some(({ isPaused }) => isPaused),
    steps: (session) => {
      const reader = session.oneOf(session.readers.filter(({ isPaused }) => isPaused));
      reader.isPaused = false;
      return [{ resume: reader.name }];
    },
  },
  {
    weight: 0.2,
    needs: ['sse'],
    isPossible: ({ readers, longTexts }) => readers.length > 0 && longTexts === 0,
    steps: (session) => {
      for (const reader of session.readers) reader.isPaused = true;
      session.longTexts += 8_800_000;
      session.stored += 8;
      const message = {
        type: 'user',
        uuid: '${uuid}',
        message: { role: 'user', content: { $repeat: 'slow ', times: 220_000 } },
      };
      return [
        ...session.readers.map(({ name }) => ({ pause: name })),
        { repeat: 8, steps: [{ post: message, spec: 'EVS-52' }] },
      ];
    },
  },
  // Nobody reads the session for a while.
  {
    weight: 2,
    isPossible: ({ readers }) => readers.length > 0,
    steps: (session) => {
      const { readers } = session;
      for (const reader of readers) session.end(reader);
      return [...readers.map(({ name }) => ({ close: name })), ...readers.flatMap((reader) => reopen(session, reader))];
    },
  },
  {
    weight: 4,
    needs: ['sse', 'worker'],
    isPossible: ({ hasRoom, present }) => hasRoom && present !== undefined,
    steps: (session) => [
      ...Array.from({ length: 1 + session.below(2) }, () => incrementPosted(session)),
      ...openAny(session),
    ],
  },
  {
    weight: 4,
    needs: ['sse'],
    isPossible: ({ hasRoom }) => hasRoom,
    steps: (session) => [
      {
        'at-once': [
          ...open(session, { over: 'stream' }),
          ...Array.from({ length: 1 + session.below(4) }, () => ({ post: promptOf(session), spec: 'EVS-38' })),
        ],
      },
    ],
  },
];
