import { parse } from 'yaml';
import * as z from 'zod';

/** If a server does not declare a feature, the cases that need it are not run. */
export const SERVER_FEATURES = [
  'create',
  'sessions',
  'sse',
  'worker',
  'bridge',
  'register',
  'transcript',
  'approver',
  'approver.initialize',
  'viewer',
  'archive',
  'limit',
  'streams',
  'retention',
  'websocket',
  'websocket.worker',
  'hybrid',
  'sjp.v1',
  'named-log',
  'restart',
] as const;

export type ServerFeature = (typeof SERVER_FEATURES)[number];

const requestTemplate = z.strictObject({
  method: z.string().default('POST'),
  path: z
    .string()
    .describe('must begin with `/`, with `S/` for an address of the session, or with `http` for another server'),
  body: z.json().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  role: z.enum(['driver', 'approver', 'viewer', 'nobody']).default('driver'),
});

const token = z.string().min(1);
const member = z.string().describe('the path of a member in the answer, such as `session.id`');

const profileSchema = z.strictObject({
  tokens: z.strictObject({
    driver: token,
    approver: token.optional(),
    viewer: token.optional(),
    worker: z
      .union([token, z.strictObject({ request: requestTemplate, token: member, epoch: member })])
      .default({
        request: { method: 'POST', path: 'S/bridge', body: {}, role: 'driver' },
        token: 'worker_jwt',
        epoch: 'worker_epoch',
      })
      .describe('the token of a worker that registers, or the request that gives a token and an epoch'),
  }),
  session: z
    .union([
      z.strictObject({ request: requestTemplate, id: member }),
      z.strictObject({
        ids: z.array(z.string().min(1)).min(1).describe('ids of unused sessions; each case uses as many as it needs'),
      }),
    ])
    .default({
      request: { method: 'POST', path: '/v1/code/sessions', body: { title: 'conformance' }, role: 'driver' },
      id: 'session.id',
    }),
  declares: z.array(z.enum(SERVER_FEATURES)).min(1),
  paths: z
    .strictObject({
      session: z.string().default('/v1/code/sessions/ID'),
      viewer: z.string().default('/v1/sessions/ws/ID/subscribe'),
      worker: z.string().default('/v1/session_ingress/ws/ID'),
    })
    .prefault({}),
  archive: requestTemplate.default({ method: 'POST', path: 'S/archive', body: {}, role: 'driver' }),
  restart: requestTemplate
    .optional()
    .describe('a request that the server answers as soon as it runs again; required for the feature `restart`'),
  'keep-alive-ms': z
    .number()
    .int()
    .positive()
    .default(30_000)
    .describe('the longest time between two writes to a silent stream, in milliseconds'),
  limits: z
    .strictObject({
      body: z.number().int().positive().optional().describe('the largest body, in bytes'),
      streams: z.number().int().positive().optional().describe('the largest number of open streams of a session'),
      retention: z
        .number()
        .int()
        .positive()
        .optional()
        .describe('the maximum size of the messages that a session keeps, in bytes'),
    })
    .prefault({}),
});

/** How the suite uses a server: its tokens, the way to create a session, and the features that it declares. */
export type ServerProfile = z.infer<typeof profileSchema>;

export type RequestTemplate = z.infer<typeof requestTemplate>;

/** Thrown if a profile cannot be used. */
export class ServerProfileError extends Error {
  /** Always `ServerProfileError`, for programs that cannot use `instanceof`. */
  override readonly name = 'ServerProfileError';
}

/**
 * Reads a profile, which is the file given with `--tokens`, in YAML or JSON.
 *
 * @throws {@link ServerProfileError} with a description of the problem. The description quotes no token.
 */
export function parseServerProfile(text: string): ServerProfile {
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    // The parser's message would quote the text, which contains tokens.
    throw new ServerProfileError('The token file is neither YAML nor JSON.');
  }
  const parsed = profileSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ServerProfileError(
    `The token file is invalid at ${issue?.path.join('.') || 'the top level'}: ${issue?.message}`,
  );
}
