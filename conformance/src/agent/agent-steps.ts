import * as z from 'zod';

import type { StepFields } from '../cases/step-schemas.ts';

const any = z.json();
const name = z.string().min(1);
const waits = { within: z.number().int().positive().optional().describe('milliseconds; 10 000 by default') };

export const agentSteps = {
  close: { close: z.literal('input').describe('ends the input of the agent') },
  'say-all': { 'say-all': z.array(any).min(1).describe('messages that are sent in one write') },
  'say-bytes': {
    'say-bytes': z.array(z.union([z.string(), z.number().int().min(0).max(255)])).describe('strings and single bytes'),
    pieces: z.number().int().positive().optional().describe('writes this many bytes at a time'),
    every: z.number().int().positive().optional().describe('milliseconds between two pieces; 2 by default'),
    last: z.literal(true).optional().describe('ends the input after the bytes'),
    as: name.optional().describe('binds the bytes as a message'),
  },
  'answer-newest': {
    'answer-newest': name.describe(
      "the subtype of a request, or hook_callback/ID. Answers the agent's newest request of this kind, even if it is already answered or cancelled; never fails",
    ),
    with: any.optional().describe('the payload of the answer'),
    error: z.string().optional().describe('the text of an error, in place of a payload'),
  },
  'answer-open': {
    'answer-open': name.describe(
      "the subtype of a request. Answers the agent's open requests of this kind in one write, the newest first; never fails",
    ),
    with: z.array(any).min(1).describe('the payloads of the answers, which are used in turn'),
  },
  'say-about-newest': {
    'say-about-newest': name.describe(
      'the subtype of a message. Sends a message about the newest message of this kind, to which `newest` is bound; never fails',
    ),
    with: any.describe('the message'),
  },
  'stop-reading': {
    'stop-reading': z
      .union([z.literal(true), z.literal('close')])
      .describe('true: until the step read-again; close: permanently'),
  },
  'read-again': { 'read-again': z.literal(true) },
  pause: {
    pause: z
      .number()
      .int()
      .positive()
      .describe('milliseconds; use it only if the passing of time is what the case tests'),
  },
  await: {
    await: z
      .union([
        z.literal('idle'),
        z.strictObject({ messages: z.number().int().positive() }),
        z.strictObject({ request: name }),
        z.strictObject({ 'no-request': name }),
      ])
      .describe(
        'idle: until the agent has finished every prompt and answered every request, or waits for an answer; messages, request: until this many more messages have arrived, or a request of this subtype is open, or the agent is idle; no-request: until no request of this subtype is open; these three never fail',
      ),
    ...waits,
  },
  signal: { signal: z.enum(['SIGTERM', 'SIGINT', 'SIGHUP']) },
  'expect-exit': {
    'expect-exit': z.strictObject({
      code: any.optional().describe('a pattern for the exit code, which is null after a signal'),
      signal: any.optional(),
      stderr: any.optional().describe('a pattern for the whole standard error'),
      processes: z.literal(0).optional().describe('no process that the agent started is still running'),
    }),
    ...waits,
  },
  'expect-running': { 'expect-running': z.literal(true) },
  'expect-never': {
    'expect-never': any.describe(
      'no message of this process matches, including the messages that earlier steps have read',
    ),
  },
  'expect-file': {
    'expect-file': z.strictObject({ name, exists: z.boolean().optional(), content: any.optional() }),
  },
  'start-again': {
    'start-again': z.strictObject({
      args: z.array(z.string()).optional(),
      env: z.record(z.string(), z.string()).optional(),
      initialize: z.union([z.literal(false), z.record(z.string(), any)]).optional(),
    }),
  },
  run: {
    run: z.strictObject({ args: z.array(z.string()), stdin: z.string().optional() }),
    ...waits,
  },
  'expect-output': {
    'expect-output': z.strictObject({
      stdout: any.optional(),
      stderr: any.optional(),
      json: any.optional().describe('a pattern for the standard output as JSON'),
      code: any.optional(),
    }),
  },
} satisfies StepFields;

export const agentStart = z.strictObject({
  args: z.array(z.string()).optional().describe('arguments to add after the arguments that hosts pass'),
  flags: z.array(z.string()).optional().describe('arguments that replace the arguments that hosts pass'),
  env: z.record(z.string(), z.string()).optional().describe('further environment variables'),
  files: z.record(z.string(), z.string()).optional().describe('files in the working directory, by name'),
  initialize: z
    .union([z.literal(false), z.record(z.string(), any)])
    .optional()
    .describe('members of the first initialize; false: the case sends its own initialize, or does not send one'),
  process: z.literal(false).optional().describe('start no agent before the steps'),
});

export type AgentStart = z.infer<typeof agentStart>;
