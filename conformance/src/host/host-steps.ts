import * as z from 'zod';

import type { StepFields } from '../cases/step-schemas.ts';

const any = z.json();
const members = z.record(z.string(), any);
const name = z.string().min(1);
const binds = { as: name.optional().describe('binds the message to a name') };
const waits = { within: z.number().int().positive().optional().describe('milliseconds; 10 000 by default') };

export const hostSteps = {
  'expect-prompt': { 'expect-prompt': any, ...waits, ...binds },
  'begin-turn': { 'begin-turn': members },
  reply: { reply: any, with: members.optional() },
  'use-tool': { 'use-tool': z.strictObject({ id: name, name, input: members }) },
  'end-turn': { 'end-turn': members },
  turn: { turn: any },
  'say-all': { 'say-all': any.describe('a list of messages, which are sent in one write') },
  pieces: {
    pieces: any,
    bytes: z.number().int().positive(),
    every: z.number().int().positive().optional().describe('milliseconds between two pieces; 1 by default'),
  },
  diagnostics: { diagnostics: any },
  reads: { reads: z.boolean() },
  exit: { exit: z.number().int() },
  kill: { kill: z.literal(['SIGKILL', 'SIGTERM']) },
  call: { call: name, with: members.optional(), as: name },
  withdraw: { withdraw: name },
  'answer-question': { 'answer-question': name, with: any.optional(), error: z.string().optional() },
  'answer-questions': {
    'answer-questions': any.describe('a pattern for the events of the questions that are open or still arrive'),
    with: any.optional(),
    error: z.string().optional(),
  },
  await: {
    await: z
      .literal('settled')
      .describe(
        'the host has answered each request that its user has decided, has sent the prompts of its user, and has passed the answers of the agent to its user',
      ),
    ...waits,
  },
  'expect-called': { 'expect-called': name, with: any.optional(), error: any.optional(), ...waits },
  'expect-handed-on': { 'expect-handed-on': any, ...waits, ...binds },
  'expect-result': { 'expect-result': any, ...waits },
} satisfies StepFields;

const answer = z.union([z.strictObject({ value: any }), z.strictObject({ error: z.string() })]);

/** What the user of a host does in a case, and which of the host's requests stay open. */
export const hostStart = z.strictObject({
  prompts: z
    .array(any)
    .optional()
    .describe('the prompts to send, each after the result of the previous prompt; default: one prompt'),
  together: z.boolean().optional().describe('send all prompts at the same time'),
  open: z.boolean().optional().describe('keep the input open until the end of the case'),
  options: z
    .strictObject({
      permissions: z.boolean().optional(),
      hooks: z.array(z.strictObject({ event: name, matcher: z.string().optional() })).optional(),
      servers: z.array(name).optional(),
      elicitation: z.boolean().optional(),
      dialogs: z.array(name).optional(),
    })
    .optional()
    .describe('what the user sets up, such as callbacks and MCP servers'),
  answers: z.record(z.string(), answer).optional().describe('how the user answers each kind of question'),
  hold: z.array(name).optional().describe('subtypes of requests from the host that the steps of the case answer'),
});

export type HostStart = z.infer<typeof hostStart>;
