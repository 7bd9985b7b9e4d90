import type { RequestOptions } from '../server/send-request.ts';
import type { Load } from './load.ts';
import { repeat, requester } from './repeat.ts';
import { answer } from './shapes.ts';
import { setStage, type Stage } from './stage.ts';

/** One of many requests: its path below the session, or an absolute one. */
type RequestOf = (stage: Stage, index: number) => RequestOptions & { readonly path: string };

const BYTES_OF_A_REQUEST = 300;
const KILOBYTE = 'x'.repeat(1024);

/** Loads of many requests: each request must cost as much as the first. */
export const REQUEST_LOADS: readonly Load[] = [
  many('nobody: requests of unknown addresses', () => ({ path: '/nothing', method: 'GET' })),
  many('nobody: requests without a token', () => ({ path: '', method: 'GET' })),
  many('stranger: requests with an unknown token', (stage) => get(stage, '', 'stranger')),
  many('nobody: requests with 15 KB of headers', () => ({
    path: '',
    method: 'GET',
    headers: Object.fromEntries(Array.from({ length: 14 }, (_, n) => [`x-${n}`, KILOBYTE])),
  })),
  many('viewer: requests with 900 query parameters', (stage) =>
    get(stage, `/events?${Array.from({ length: 900 }, (_, n) => `p${n}=1`).join('&')}`, 'viewer'),
  ),
  many('viewer: requests of the session', (stage) => get(stage, '', 'viewer')),
  many('viewer: requests of events by cursor', (stage, n) => get(stage, `/events?after=${n}&limit=1`, 'viewer')),
  many('viewer: tickets', (stage) => post(stage, '/tickets', 'viewer', '')),
  many('viewer: prompts', (stage, n) => post(stage, '/events', 'viewer', prompt(n))),
  many('approver: answers to requests that are not open', (stage, n) =>
    post(stage, '/events', 'approver', `{"events":[{"payload":${answer(`not-open-${n}`)}}]}`),
  ),
  many('approver: answers to an open request', (stage) =>
    post(stage, '/events', 'approver', `{"events":[{"payload":${answer('open')}}]}`),
  ),
  many('driver: prompts', (stage, n) => post(stage, '/events', 'driver', prompt(n))),
  many('driver: one prompt again and again', (stage) => post(stage, '/events', 'driver', prompt(0))),
  many('driver: control requests', (stage, n) =>
    post(
      stage,
      '/events',
      'driver',
      `{"events":[{"payload":{"type":"control_request","request_id":"r${n}","request":{"subtype":"interrupt"}}}]}`,
    ),
  ),
  many('driver: sessions', (stage) => ({ ...post(stage, '', 'driver', '{}'), path: '/v1/code/sessions' }), 3000),
  many('driver: leases', (stage) => post(stage, '/bridge', 'driver', '{}'), 3000),
  many('worker: registrations', (stage) => post(stage, '/worker/register', 'worker', '{}'), 3000),
  many('worker: heartbeats', (stage) => post(stage, '/worker/heartbeat', 'worker', epochOf(stage, '{'))),
  many('worker: messages', (stage, n) => post(stage, '/worker/events', 'worker', epochOf(stage, prompt(n)))),
  many('worker: internal events', (stage, n) =>
    post(stage, '/worker/internal-events', 'worker', epochOf(stage, prompt(n))),
  ),
  many('worker: reports that add a member each', (stage, n) => report(stage, `{"k${n}":"${KILOBYTE}"}`), 3000),
  many('worker: reports that replace a member', (stage) => report(stage, `{"k":"${KILOBYTE}"}`), 3000),
  many('worker: reports of internal metadata', (stage, n) => ({
    ...report(stage, '{}'),
    body: epochOf(stage, `{"internal_metadata":{"k${n}":1}}`),
  })),
];

/** `{…` becomes `{"worker_epoch":E,…`. */
export function epochOf({ lease }: Stage, body: string): string {
  return `{"worker_epoch":${lease.epoch}${body === '{' ? '}' : `,${body.slice(1)}`}`;
}

/** Creates a POST with one numbered prompt. */
function prompt(number: number): string {
  return `{"events":[{"payload":{"type":"user","uuid":"prompt-${number}"}}]}`;
}

function report(stage: Stage, metadata: string) {
  const body = epochOf(stage, `{"external_metadata":${metadata}}`);
  return { ...post(stage, '/worker', 'worker', body), method: 'PUT' };
}

function get(stage: Stage, path: string, sender: Parameters<Stage['token']>[0]) {
  return { path, method: 'GET', token: stage.token(sender) };
}

function post(stage: Stage, path: string, sender: Parameters<Stage['token']>[0], body: string) {
  return { path, token: stage.token(sender), body };
}

function many(name: string, of: RequestOf, most = 6000): Load {
  return {
    name,
    isBytes: false,
    least: 8,
    most,
    async prepare(server, size) {
      const stage = await setStage(server);
      const { request, close } = requester(server.url);
      return {
        bytes: size * BYTES_OF_A_REQUEST,
        send: (signal) =>
          repeat(size, signal, (index) => {
            const { path, ...options } = of(stage, index);
            return request(path.startsWith('/v1/') || path === '/nothing' ? path : stage.session.path + path, options);
          }),
        end: close,
      };
    },
  };
}
