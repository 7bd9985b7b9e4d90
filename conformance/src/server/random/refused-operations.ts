import type { Step } from '@proto/testkit/steps';

import { promptOf, reportOf } from './messages.ts';
import { ANY, type Operation, type SessionWriter, together } from './session-writer.ts';

const REFUSED = { '$at-least': 400, '$at-most': 499 };
const STRANGERS: readonly unknown[] = [
  'nobody',
  { token: 'a-token-that-nobody-has' },
  { token: 'x${tokens.driver}' },
  { token: '${tokens.driver}x' },
  { token: '__proto__' },
];
const RAW_BODIES = [
  'this is not JSON, with a text',
  '[]',
  '',
  'null',
  '7',
  '{"events":7}',
  '{"events":{}}',
  '{"events":[',
];
const OF_WORKERS = ['GET S/worker', 'PUT S/worker', 'POST S/worker/heartbeat', 'POST S/worker/events'];

/** A request to an address of viewers or of workers, with a body that would be correct. */
function anyRequest(session: SessionWriter): Step {
  const isOfWorker = session.declares('worker') && session.isLucky(0.5);
  if (!isOfWorker) return { http: 'POST S/events', body: { events: [{ payload: promptOf(session) }] } };
  const http = session.oneOf([...OF_WORKERS, 'POST S/worker/events/delivery']);
  if (http.startsWith('GET')) return { http };
  const events = http.endsWith('/events') ? { events: [{ payload: reportOf(session) }] } : { updates: [] };
  return { http, body: { worker_epoch: 1, ...events } };
}

function refusedStream(session: SessionWriter, members: Step): Step {
  return { open: session.newName('x'), ...members };
}

function elsewhere({ profile }: SessionWriter, path: string): string {
  return `${profile.paths.session.replace('ID', 'cse_does_not_exist')}/${path}`;
}

/** The worker of another session, which has no rights in this one. */
function foreignWorker(session: SessionWriter): readonly Step[] {
  const [other, worker, by] = [session.newName('other'), session.newName('f'), session.newName('x')];
  const refused = { in: 's', status: { '$one-of': [401, 403, 404] }, spec: 'WRK-18' };
  const token = { token: `\${${worker}.token}` };
  const body = { worker_epoch: `\${${session.present}.epoch}`, events: [{ payload: reportOf(session) }] };
  const socket = [
    { open: by, over: 'websocket', role: worker, in: 's' },
    { 'expect-close': { code: { '$one-of': [4001, 4003] } }, by, spec: 'WRK-18', within: 5000 },
  ];
  const uses = session.declares('websocket.worker') && session.isLucky(0.5);
  return [
    together([
      { session: other },
      { worker, in: other },
      ...(uses ? socket : [{ http: 'POST S/worker/events', role: token, body, ...refused }]),
    ]),
  ];
}

/** Requests that a server refuses, whatever happened before. */
export const REFUSED_OPERATIONS: readonly Operation[] = [
  {
    weight: 4,
    needs: ['sse'],
    steps: (session) => [{ ...anyRequest(session), role: session.oneOf(STRANGERS), status: 401, spec: 'REM-7' }],
  },
  {
    weight: 2,
    needs: ['sse'],
    steps: (session) => [refusedStream(session, { role: session.oneOf(STRANGERS), status: 401, spec: 'REM-7' })],
  },
  {
    weight: 1,
    needs: ['worker'],
    steps: (session) => [
      refusedStream(session, { role: session.oneOf(STRANGERS), side: 'worker', status: 401, spec: 'REM-7' }),
    ],
  },
  {
    weight: 2,
    needs: ['sse'],
    steps: (session) => [
      { http: `POST ${elsewhere(session, 'events')}`, body: { events: [] }, status: 404, spec: 'REM-4' },
      refusedStream(session, { to: 'cse_does_not_exist', status: 404, spec: 'REM-4' }),
    ],
  },
  {
    weight: 2,
    needs: ['worker', 'sessions'],
    isPossible: ({ present }) => present !== undefined,
    steps: foreignWorker,
  },
  {
    weight: 2,
    needs: ['bridge'],
    isPossible: ({ limited }) => limited.length > 0,
    steps: (session) => [
      { http: 'POST S/bridge', role: session.oneOf(session.limited), body: {}, status: REFUSED, spec: 'REM-54' },
    ],
  },
  {
    weight: 1,
    needs: ['archive'],
    isPossible: ({ limited }) => limited.length > 0,
    steps: (session) => [
      { http: 'POST S/archive', role: session.oneOf(session.limited), body: {}, status: REFUSED, spec: 'REM-54' },
    ],
  },
  {
    weight: 1,
    needs: ['create'],
    isPossible: ({ limited }) => limited.length > 0,
    steps: (session) => [
      {
        http: 'POST /v1/code/sessions',
        role: session.oneOf(session.limited),
        body: { title: 'a session', bridge: {}, config: { cwd: '/tmp' } },
        status: REFUSED,
        spec: 'REM-56',
      },
    ],
  },
  {
    weight: 1,
    needs: ['create'],
    steps: () => [
      {
        http: 'POST /v1/code/sessions',
        body: { title: 'a session', bridge: {}, config: { cwd: '/tmp', x_unknown: 1 }, x_unknown: { a: 1 } },
        spec: 'REM-3',
      },
    ],
  },
  {
    weight: 3,
    needs: ['sse'],
    steps: (session) => [{ http: 'POST S/events', text: session.oneOf(RAW_BODIES), status: ANY }],
  },
  {
    weight: 2,
    needs: ['worker'],
    isPossible: ({ present }) => present !== undefined,
    steps: (session) => [
      {
        http: session.oneOf(OF_WORKERS.slice(1)),
        role: session.present,
        text: session.oneOf(RAW_BODIES),
        status: ANY,
      },
    ],
  },
  {
    weight: 2,
    needs: ['worker'],
    isPossible: ({ present }) => present !== undefined,
    steps: (session) => [
      {
        http: 'POST S/worker/events/delivery',
        role: session.present,
        body: {
          worker_epoch: `\${${session.present}.epoch}`,
          updates: session.oneOf([{}, 7, null, [null], [{}], 'x']),
        },
        status: ANY,
      },
    ],
  },
  {
    weight: 0.15,
    needs: ['limit'],
    isPossible: ({ profile }) => profile.limits.body !== undefined,
    steps: () => [
      {
        http: 'POST S/events',
        text: { $repeat: 'x', times: '${limits.aboveBody}' },
        status: 413,
        spec: 'ERR-9',
        within: 30_000,
      },
    ],
  },
];
