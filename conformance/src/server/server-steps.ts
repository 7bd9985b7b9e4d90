import * as z from 'zod';

import type { StepFields } from '../cases/step-schemas.ts';

const name = z.string().min(1);
const any = z.json();
const steps = z.array(z.record(z.string(), z.json())).min(1);
const within = { within: z.number().int().positive().optional().describe('milliseconds; 10 000 by default') };
const role = z
  .union([name, z.strictObject({ token: name })])
  .optional()
  .describe('driver, approver, viewer, nobody, a worker of the case, or a token; default: driver');
const acts = {
  role,
  in: name.optional().describe('the session; default: the session of the worker, or the only session'),
  headers: z.record(z.string(), z.string()).optional(),
  as: name.optional().describe('binds the answer'),
  ...within,
};
const answered = {
  status: any.optional().describe('a pattern for the status; default: any 2xx'),
  answer: any.optional().describe('a pattern for the body of the answer'),
  'answer-headers': any.optional(),
  loses: z
    .enum(['request', 'answer'])
    .optional()
    .describe('the connection breaks in the middle of the request, or before the answer'),
  meanwhile: steps.optional().describe('steps that run after the first part of the body was sent, and before the rest'),
};

export const serverSteps = {
  session: { session: name },
  worker: { worker: name, in: name.optional() },
  register: { register: name },
  archive: {
    archive: name,
    role: acts.role,
    status: any.optional().describe('a pattern for the status of a request that may be refused; default: any 2xx'),
  },
  restart: { restart: z.strictObject({}) },
  open: {
    open: name,
    over: z.enum(['sse', 'websocket']).optional().describe('default: sse'),
    from: z
      .union([name, z.number().int()])
      .optional()
      .describe('a cursor, or the name of a party whose cursor is used'),
    'cursor-in': z.enum(['header', 'query', 'both']).optional(),
    query: z.string().optional().describe('replaces the query of the address'),
    subprotocol: z.string().optional(),
    side: z.literal('worker').optional().describe('use the address for workers, whatever the credential is'),
    to: z.string().optional().describe('the id of a session that the case did not create'),
    proxied: z.literal(true).optional().describe('connect through a proxy, so that the link can be cut'),
    comments: z
      .literal(true)
      .optional()
      .describe('also treat comments of an event stream and pings of a WebSocket as messages'),
    'holds-pongs': z
      .literal(true)
      .optional()
      .describe('treat pings of the server as messages, and answer them only with the step `pong`'),
    status: any.optional(),
    ...acts,
  },
  post: {
    post: any,
    binds: name.optional().describe('binds the messages that are sent'),
    'entry-members': z
      .record(z.string(), z.json())
      .optional()
      .describe('further members of each entry, next to the payload'),
    epoch: any.optional().describe('the epoch in the body; default: the epoch of the worker'),
    ...acts,
    ...answered,
  },
  http: {
    http: z.string().describe('METHOD PATH; a path `S/…` is relative to the address of the session'),
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
    of: z.array(name).optional().describe('the parties whose events are joined, in this order'),
    ...within,
  },
} satisfies StepFields;

export const serverStart = z.strictObject({
  sessions: z
    .array(name)
    .optional()
    .describe('the names of the sessions to create before the steps; default: one session named `s`'),
});
