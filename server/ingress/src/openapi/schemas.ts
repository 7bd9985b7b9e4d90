/** A JSON Schema (2020-12), as used in OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>;

/** A reference to a schema of the document, by its name. */
export const ref = (name: keyof typeof schemas): Schema => ({ $ref: `#/components/schemas/${name}` });

const text: Schema = { type: 'string' };
const whole: Schema = { type: 'integer', minimum: 0 };
const yes: Schema = { type: 'boolean' };
const time: Schema = { type: 'string', format: 'date-time' };
const nullable = (type: string): Schema => ({ type: [type, 'null'] });
const listOf = (items: Schema): Schema => ({ type: 'array', items });
const answer = (
  members: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema => ({
  type: 'object',
  properties: { ...members, ...optional },
  required: Object.keys(members),
  additionalProperties: false,
});
/** The schema of a request body. Unknown members are ignored. */
const body = (members: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties: members,
  ...(required.length > 0 && { required }),
});

const session = {
  id: text,
  title: text,
  created_at: time,
  archived: yes,
  worker_status: nullable('string'),
  open_requests: whole,
};
const epoch: Schema = {
  type: ['integer', 'string'],
  description: 'The epoch of the lease, as a number or as a string of digits.',
};
const entries = (members: Readonly<Record<string, Schema>>): Schema =>
  listOf(body({ payload: { $ref: '#/components/schemas/Message' }, ...members }, ['payload']));
const missing = answer({ from: whole, to: whole });

/** The schemas of bodies and answers. Answers have exactly these members, but the published document allows more members, for later versions. */
export const schemas = {
  Message: {
    type: 'object',
    description: 'A message of the stream-json protocol, which is stored and delivered unchanged.',
    properties: { type: text, uuid: text },
    required: ['type'],
  },
  Error: {
    type: 'object',
    properties: {
      type: { const: 'error' },
      error: {
        type: 'object',
        description: 'Programs read `type`; people read `message`.',
        properties: { type: text, message: text, resource: text, reason: text },
        required: ['type', 'message'],
      },
    },
    required: ['type', 'error'],
    additionalProperties: false,
  },
  Status: answer({ status: text }),
  Empty: answer({}),
  Session: answer(session),
  NewSession: body({ title: text }),
  CreatedSession: answer({ session: answer({ id: text, title: text, created_at: time }) }),
  ShownSession: answer({
    session: answer({ ...session, worker_epoch: whole, skipped_entries: whole, external_metadata: { type: 'object' } }),
  }),
  SessionList: answer({ data: listOf({ $ref: '#/components/schemas/Session' }), next_before: nullable('string') }),
  Credentials: answer({ worker_jwt: text, api_base_url: text, expires_in: whole, worker_epoch: whole }),
  Renewal: body({ worker_jwt: text, worker_epoch: epoch }, ['worker_jwt', 'worker_epoch']),
  Ticket: answer({ ticket: text, expires_in: whole }),
  Event: answer(
    {
      event_id: text,
      sequence_num: whole,
      event_type: text,
      source: text,
      created_at: time,
      payload: { $ref: '#/components/schemas/Message' },
    },
    { sender: text },
  ),
  EventList: answer(
    {
      data: listOf({ $ref: '#/components/schemas/Event' }),
      next_cursor: nullable('string'),
      last_sequence_num: whole,
      log: text,
    },
    { missing, gap: answer({ reason: text, from: whole, to: whole }) },
  ),
  EventStream: {
    type: 'string',
    description:
      'Server-sent events: resume, client_event, ephemeral_event, delivery_update, control_resolved and others.',
  },
  EntryResult: {
    oneOf: [
      answer({ event_id: text, duplicate: yes }, { sequence_num: whole }),
      answer({ error: answer({ type: text }) }, { event_id: text }),
    ],
  },
  ClientEvents: body({ session_id: text, events: entries({}) }, ['events']),
  ClientResults: answer({ events: listOf({ $ref: '#/components/schemas/EntryResult' }) }),
  WorkerEvents: body({ worker_epoch: epoch, events: entries({ ephemeral: yes }) }, ['worker_epoch', 'events']),
  WorkerResults: answer({ results: listOf({ $ref: '#/components/schemas/EntryResult' }), has_subscribers: yes }),
  BareEvents: body({ events: listOf({ $ref: '#/components/schemas/Message' }) }, ['events']),
  BareResults: answer({ results: listOf({ $ref: '#/components/schemas/EntryResult' }) }),
  WorkerEpoch: answer({ worker_epoch: whole }),
  WorkerState: answer({
    worker: answer({
      worker_status: nullable('string'),
      external_metadata: { type: 'object' },
      internal_metadata: { type: 'object' },
    }),
  }),
  WorkerReport: body(
    {
      worker_epoch: epoch,
      worker_status: text,
      requires_action_details: {},
      external_metadata: nullable('object'),
      internal_metadata: nullable('object'),
    },
    ['worker_epoch'],
  ),
  DeliveryMarks: body(
    {
      worker_epoch: epoch,
      updates: listOf(body({ event_id: text, status: { enum: ['received', 'processing', 'processed'] } })),
    },
    ['worker_epoch', 'updates'],
  ),
  WorkerEpochBody: body({ worker_epoch: epoch }, ['worker_epoch']),
  Heartbeat: answer({ heartbeat_interval_seconds: whole }),
  InternalEvents: body({ worker_epoch: epoch, events: entries({}) }, ['worker_epoch', 'events']),
  InternalPage: answer({ data: listOf({ type: 'object' }) }, { next_cursor: text }),
} satisfies Readonly<Record<string, Schema>>;
