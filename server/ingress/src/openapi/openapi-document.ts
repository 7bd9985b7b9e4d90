import { type Operation, operations } from './operations.ts';
import { ref, type Schema, schemas } from './schemas.ts';

const COMMON_REFUSALS = {
  nobody: [],
  collector: [401],
  account: [400, 401, 403, 404, 429, 500, 503],
  worker: [400, 401, 403, 404, 409, 429, 500, 503],
} as const;

const WORDS: Readonly<Record<number, string>> = {
  400: 'The request cannot be read.',
  401: 'The token is missing or not accepted.',
  403: 'The token does not allow this, or the host or the origin is not allowed.',
  404: 'The session does not exist.',
  405: 'Use GET to read a stream.',
  409: 'Another worker has the lease, or the session was archived.',
  410: 'The session was archived.',
  413: 'The body, or a part of it, is too large.',
  429: 'Too many requests, bytes, sessions or streams. `Retry-After` says when to try again.',
  500: 'An error of the server.',
  502: 'The session does not have an agent, and no agent will be started for it.',
  503: 'The server is shutting down, or its store or its accounts cannot be used at the moment. `Retry-After` says when to try again.',
  507: 'The server cannot store more sessions.',
};

/** Describes the routes of a server as an OpenAPI 3.1 document, for client generators and gateways. WebSockets are not included. */
export function openApiDocument(): Readonly<Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = operation.path.replace(':id', '{id}');
    paths[path] = { ...paths[path], [operation.method]: describe(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Remote sessions of the stream-json protocol',
      version: '1',
      description:
        'A server of remote sessions. Clients must ignore unknown members of answers, because later versions may add members.',
    },
    paths,
    components: {
      securitySchemes: {
        account: { type: 'http', scheme: 'bearer', description: 'The token of an account.' },
        worker: { type: 'http', scheme: 'bearer', description: 'The token of a worker, for one session.' },
        collector: { type: 'http', scheme: 'bearer', description: 'The token of the operator for metrics.' },
      },
      schemas: withoutLimits(),
    },
  };
}

/** Returns the schemas without `additionalProperties`, because a client generated from the document must accept members that a later version adds. */
function withoutLimits(): unknown {
  const text = JSON.stringify(schemas, (name, value: unknown) => (name === 'additionalProperties' ? undefined : value));
  return JSON.parse(text) as unknown;
}

function describe({ summary, by, body, answers, refusals = [], ...operation }: Operation): object {
  const statuses = [...new Set([...COMMON_REFUSALS[by], ...refusals])].toSorted((a, b) => a - b);
  const errors = statuses.map((status) => [status, { description: WORDS[status], ...json(errorOf(by)) }]);
  return {
    summary,
    operationId: `${operation.method}${operation.path.replaceAll(/[^a-z]+(.?)/gi, (_, next: string) => next.toUpperCase())}`,
    security: by === 'nobody' ? [] : [{ [by]: [] }],
    parameters: parametersOf(operation),
    ...(body !== undefined && { requestBody: { required: true, ...json(ref(body)) } }),
    responses: { 200: { description: 'Done.', ...contentOf(answers) }, ...Object.fromEntries(errors) },
  };
}

/** Returns the schema of a refusal. Health routes send a status object even in a refusal. */
function errorOf(by: Operation['by']): Schema {
  return ref(by === 'nobody' ? 'Status' : 'Error');
}

function contentOf(answers: Operation['answers']): object {
  if (answers === 'text') return { content: { 'text/plain': { schema: { type: 'string' } } } };
  if (answers === 'EventStream') return { content: { 'text/event-stream': { schema: ref(answers) } } };
  return json(ref(answers));
}

function json(schema: Schema): object {
  return { content: { 'application/json': { schema } } };
}

function parametersOf({ path, query = {}, hasCursor }: Pick<Operation, 'path' | 'query' | 'hasCursor'>) {
  const schema = { type: 'string' };
  const inQuery = Object.entries(query).map(([name, description]) => ({ name, in: 'query', description, schema }));
  return [
    ...(path.includes(':id')
      ? [{ name: 'id', in: 'path', required: true, description: 'The id of a session.', schema }]
      : []),
    ...inQuery,
    ...(hasCursor
      ? [
          {
            name: 'Last-Event-ID',
            in: 'header',
            description: 'The last event that the reader has received: its sequence number, or NUMBER@LOG.',
            schema,
          },
        ]
      : []),
  ];
}
