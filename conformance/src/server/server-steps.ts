import * as z from 'zod';

import type { StepFields } from '../cases/step-schemas.ts';

const name = z.string().min(1);
const any = z.json();
const steps = z.array(z.record(z.string(), z.json())).min(1);
const within = { within: z.number().int().positive().optional().describe('milliseconds; 10 000 by default') };
const role = z
  .union([name, z.strictObject({ token: name })])
  .optional()
  .describe('driver, approver, viewer, nobody, a worker of the case, or a token; driver by default');
const acts = {
  role,
  in: name.optional().describe('the session; by default that of the worker, or the only one'),
  headers: z.record(z.string(), z.string()).optional(),
  as: name.optional().describe('binds the answer'),
  ...within,
};
const answered = {
  status: any.optional().describe('a pattern for the status; by default any 2xx'),
  answer: any.optional().describe('a pattern for the body of the answer'),
  'answer-headers': any.optional(),
  loses: z
    .enum(['request', 'answer'])
    .optional()
    .describe('the connection breaks in the middle of the request, or before the answer'),
};

/** The steps that exist only in server cases. */
export const serverSteps = {
  session: { session: name },
  worker: { worker: name, in: name.optional() },
  register: { register: name },
  archive: { archive: name },
  restart: { restart: z.strictObject({}) },
  open: {
    open: name,
    over: z.enum(['sse', 'websocket']).optional().describe('sse by default'),
    from: z.union([name, z.number().int()]).optional().describe('a cursor, or the party whose cursor it is'),
    'cursor-in': z.enum(['header', 'query', 'both']).optional(),
    query: z.string().optional().describe('replaces the query of the address'),
    subprotocol: z.string().optional(),
    side: z.literal('worker').optional().describe('the address of a worker, whatever the credential is'),
    to: z.string().optional().describe('the id of a session that the case has not made'),
    proxied: z.literal(true).optional().describe('through a proxy, so that the link can be cut'),
    comments: z
      .literal(true)
      .optional()
      .describe('comments of an event stream and pings of a WebSocket are messages too'),
    'holds-pongs': z
      .literal(true)
      .optional()
      .describe('pings of the server are messages too, and are answered by the step `pong` only'),
    status: any.optional(),
    ...acts,
  },
  post: {
    post: any,
    binds: name.optional().describe('binds the messages that are sent'),
    'entry-members': z
      .record(z.string(), z.json())
      .optional()
      .describe('members of each entry in addition to the payload'),
    epoch: any.optional().describe('the epoch of the body; by default that of the worker'),
    ...acts,
    ...answered,
  },
  http: {
    http: z.string().describe('METHOD PATH; the path `S/…` is under the session'),
    body: any.optional(),
    text: any.optional(),
    ...acts,
    ...answered,
  },
  cut: {
    cut: name,
    how: z.enum(['fin', 'rst', 'stall']).optional(),
    'after-bytes': z.number().int().positive().optional(),
    ...within,
  },
  close: { close: name, ...within },
  ping: { ping: name, 'or-closed': z.literal(true).optional(), ...within },
  pong: { pong: name },
  pause: { pause: name },
  resume: { resume: name },
  check: { check: name, is: any },
  repeat: { repeat: z.union([z.number().int().positive(), name]), steps },
  'at-once': { 'at-once': steps },
  'expect-close': { 'expect-close': any, ...within },
  'expect-numbers': {
    'expect-numbers': z.strictObject({ first: any, last: any }),
    of: z.array(name).optional().describe('parties, one after the other'),
    ...within,
  },
} satisfies StepFields;

/** What a server needs before a case. */
export const serverStart = z.strictObject({
  sessions: z
    .array(name)
    .optional()
    .describe('sessions that are made before the steps; one of the name `s` by default'),
});
