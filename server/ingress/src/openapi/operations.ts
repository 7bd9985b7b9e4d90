import type { schemas } from './schemas.ts';

type SchemaName = keyof typeof schemas;

/** One operation: who may call it, its parameters and body, and its answer. */
export interface Operation {
  readonly method: 'get' | 'post' | 'put';
  /** The path as written in the routes, with `:id`. */
  readonly path: string;
  readonly summary: string;
  /** Whose token the operation accepts. */
  readonly by: 'nobody' | 'collector' | 'account' | 'worker';
  readonly body?: SchemaName;
  /** The schema of the answer with status 200; `text` for the text format of Prometheus. */
  readonly answers: SchemaName | 'text';
  /** The statuses of refusals, in addition to the statuses that every request of the same caller can get. */
  readonly refusals?: readonly number[];
  readonly query?: Readonly<Record<string, string>>;
  /** Whether the request can have a `Last-Event-ID` header with the last event that the reader received. */
  readonly hasCursor?: true;
}

const SESSIONS = '/v1/code/sessions';
const ONE = `${SESSIONS}/:id`;
const WORKER = `${ONE}/worker`;
const CURSOR =
  'The cursor after which to begin: a sequence number, or NUMBER@LOG with the `log` from an earlier answer.';
const AFTER = { after: CURSOR };
const FROM = { from_sequence_num: CURSOR };

/** Every route of a server except the WebSocket routes, which OpenAPI cannot describe. */
export const operations: readonly Operation[] = [
  {
    method: 'get',
    path: '/healthz',
    summary: 'Whether the process is alive',
    by: 'nobody',
    answers: 'Status',
    refusals: [503],
  },
  {
    method: 'get',
    path: '/readyz',
    summary: 'Whether the server can accept messages',
    by: 'nobody',
    answers: 'Status',
    refusals: [503],
  },
  {
    method: 'get',
    path: '/metrics',
    summary: 'The metrics of the server, if the operator has enabled them',
    by: 'collector',
    answers: 'text',
  },
  {
    method: 'post',
    path: SESSIONS,
    summary: 'Create a session',
    by: 'account',
    body: 'NewSession',
    answers: 'CreatedSession',
    refusals: [413, 507],
  },
  {
    method: 'get',
    path: SESSIONS,
    summary: 'List the sessions that the account may use, newest first',
    by: 'account',
    answers: 'SessionList',
    query: {
      limit: 'The maximum number of sessions, up to 100. Default 20.',
      before: 'The `next_before` of the previous page.',
    },
  },
  { method: 'get', path: ONE, summary: 'Show the state of a session', by: 'account', answers: 'ShownSession' },
  {
    method: 'post',
    path: `${ONE}/archive`,
    summary: 'Archive a session, which can then only be read',
    by: 'account',
    answers: 'Empty',
  },
  {
    method: 'post',
    path: `${ONE}/bridge`,
    summary: 'Get credentials for a worker, and claim the lease under a new epoch',
    by: 'account',
    answers: 'Credentials',
    refusals: [410],
  },
  {
    method: 'post',
    path: `${ONE}/bridge/renew`,
    summary: 'Get a new token for the worker that has the lease',
    by: 'account',
    body: 'Renewal',
    answers: 'Credentials',
    refusals: [409, 410, 413],
  },
  {
    method: 'post',
    path: `${ONE}/tickets`,
    summary: 'Get a ticket that can open one stream, once',
    by: 'account',
    answers: 'Ticket',
  },
  {
    method: 'get',
    path: `${ONE}/events/stream`,
    summary: 'Follow a session',
    by: 'account',
    answers: 'EventStream',
    refusals: [405],
    query: { ticket: 'A ticket instead of a token.', ...FROM },
    hasCursor: true,
  },
  {
    method: 'get',
    path: `${ONE}/events`,
    summary: 'List events of a session',
    by: 'account',
    answers: 'EventList',
    query: { ...AFTER, limit: 'The maximum number of events, up to 1000.' },
    hasCursor: true,
  },
  {
    method: 'post',
    path: `${ONE}/events`,
    summary: 'Send messages',
    by: 'account',
    body: 'ClientEvents',
    answers: 'ClientResults',
    refusals: [410, 413, 502],
  },
  {
    method: 'post',
    path: `${WORKER}/register`,
    summary: 'Take the lease under a new epoch',
    by: 'worker',
    answers: 'WorkerEpoch',
  },
  {
    method: 'get',
    path: WORKER,
    summary: 'Read the state that workers have reported',
    by: 'worker',
    answers: 'WorkerState',
  },
  {
    method: 'put',
    path: WORKER,
    summary: 'Report the state of the worker',
    by: 'worker',
    body: 'WorkerReport',
    answers: 'Empty',
    refusals: [413],
  },
  {
    method: 'get',
    path: `${WORKER}/events/stream`,
    summary: 'Follow the messages that clients send',
    by: 'worker',
    answers: 'EventStream',
    refusals: [405],
    query: FROM,
    hasCursor: true,
  },
  {
    method: 'post',
    path: `${WORKER}/events`,
    summary: 'Send messages of the agent',
    by: 'worker',
    body: 'WorkerEvents',
    answers: 'WorkerResults',
    refusals: [413],
  },
  {
    method: 'post',
    path: `${WORKER}/events/delivery`,
    summary: 'Report how far the worker has processed the messages',
    by: 'worker',
    body: 'DeliveryMarks',
    answers: 'Empty',
    refusals: [413],
  },
  {
    method: 'post',
    path: `${WORKER}/heartbeat`,
    summary: 'Report that the worker is alive',
    by: 'worker',
    body: 'WorkerEpochBody',
    answers: 'Heartbeat',
    refusals: [413],
  },
  {
    method: 'post',
    path: `${WORKER}/internal-events`,
    summary: 'Store rows of the transcript for the next worker',
    by: 'worker',
    body: 'InternalEvents',
    answers: 'Empty',
    refusals: [413],
  },
  {
    method: 'get',
    path: `${WORKER}/internal-events`,
    summary: 'Read the transcript',
    by: 'worker',
    answers: 'InternalPage',
    query: {
      subagents: '`true` for the rows of subagents.',
      session_agent_id: 'Only the rows of this subagent.',
      from_first_event: '`true` for the whole conversation, instead of only the part since the last compaction.',
      cursor: 'The `next_cursor` of the previous page.',
      after_event_id: 'The event after which to begin.',
      limit: 'The maximum number of rows, up to 1000. Default 100.',
    },
  },
  {
    method: 'post',
    path: '/v1/session_ingress/session/:id/events',
    summary: 'Send messages of a worker that reads over a WebSocket',
    by: 'worker',
    body: 'BareEvents',
    answers: 'BareResults',
    refusals: [413],
  },
];
