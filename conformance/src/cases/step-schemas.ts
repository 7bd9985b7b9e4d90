import * as z from 'zod';

/** A pattern or a value: any JSON. Matchers in patterns are checked by name when cases are compiled. */
const any = z.json();
const name = z.string().min(1);

export const REQUIREMENT = /^[A-Z]{3}-\d+$/;

const commonModifiers = {
  by: name.optional().describe('the party that acts; default: the only party, or the party that was opened last'),
  note: z.string().optional().describe('the reason for this step'),
  spec: z
    .string()
    .regex(REQUIREMENT)
    .optional()
    .describe('the requirement that is broken if this step fails; default: the main requirement of the case'),
};
const waits = { within: z.number().int().positive().optional().describe('milliseconds; 10 000 by default') };
const binds = { as: name.optional().describe('binds the message to a name') };

/** Each side has a table with additional verbs. */
export type StepFields = Readonly<Record<string, z.ZodRawShape>>;

export const commonSteps = {
  say: { say: any, ...binds },
  'say-text': { 'say-text': any },
  prompt: { prompt: any, ...binds },
  request: { request: z.looseObject({ subtype: name }), ...binds },
  'expect-answer': { 'expect-answer': name, with: any.optional(), error: any.optional(), ...waits, ...binds },
  answer: { answer: name, with: any.optional(), error: z.string().optional() },
  cancel: { cancel: name },
  serve: { serve: z.record(z.string(), any) },
  expect: { expect: any, next: z.literal(true).optional(), anywhere: z.literal(true).optional(), ...waits, ...binds },
  'expect-all': { 'expect-all': z.array(any).min(1), ...waits },
  'expect-none': {
    'expect-none': any,
    until: any.optional(),
    since: name
      .optional()
      .describe('the name of the message at which the time begins; default: the time begins with the step'),
    ...waits,
    ...binds,
  },
} satisfies StepFields;

export function stepSchema(fields: z.ZodRawShape): z.ZodObject {
  return z.strictObject({ ...fields, ...commonModifiers });
}
