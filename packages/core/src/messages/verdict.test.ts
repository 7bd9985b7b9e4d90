import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';

import { parseLine } from '../framing/parse-line.ts';
import { nameOf, shapes } from './inventory.test-support.ts';
import { objectOf } from './inventory-type.test-support.ts';
import { placesIn, valueOf, withValue } from './inventory-value.test-support.ts';
import { lookUp } from './message-schema.ts';
import { recordings } from './recordings.test-support.ts';
import { chosenUnion, object, openEnum, openUnion, optional, type SchemaOf } from './schema.ts';
import { verdictOf } from './verdict.ts';

const VALUES = [
  null,
  undefined,
  0,
  NaN,
  'text',
  '',
  true,
  [],
  ['text'],
  [5],
  {},
  { key: 5 },
  { key: 'text' },
  { kind: 'a' },
];
const agree = (schema: z.core.$ZodType, values: readonly unknown[]) => {
  for (const value of values) {
    expect(verdictOf(schema)(value), JSON.stringify(value)).toBe(z.safeParse(schema, value).success);
  }
};

describe('the compiled verdict is that of the schema', () => {
  const a = object({ kind: z.literal('a'), text: optional(z.string()) });
  const b = object({ kind: z.enum(['b', 'c']), list: z.array(z.number()) });
  const anything = object({});
  const blocks = [
    { kind: 'a', text: 'x' },
    { kind: 'a', text: 5 },
    { kind: 'b' },
    { kind: 'c', list: [1] },
    { kind: 'c', list: ['x'] },
    { kind: 'd', list: 'x' },
    { kind: 5 },
    { text: 'x' },
  ];

  test.each<[string, SchemaOf<unknown>]>([
    ['string', z.string()],
    ['number', z.number()],
    ['boolean', z.boolean()],
    ['unknown', z.unknown()],
    ['literal', z.literal(true)],
    ['open enumeration', openEnum(['text'])],
    ['enumeration', z.enum(['text'])],
    ['nullable', z.nullable(z.string())],
    ['array', z.array(z.string())],
    ['record', z.record(z.string(), z.string())],
    ['record of records', z.record(z.string(), z.record(z.string(), z.unknown()))],
    ['object', object({ key: optional(z.string()) })],
    ['required member', object({ key: z.unknown() })],
    ['object with a rule', object({ key: z.unknown() }).check(z.refine(({ key }) => key !== 5))],
    ['record with a rule', z.record(z.string(), z.unknown()).check(z.refine(({ key }) => key !== 5))],
    ['union with a rule', z.union([z.string(), z.number()]).check(z.refine((value) => value !== 'text'))],
    ['array with a rule', z.array(z.unknown()).check(z.minLength(1))],
    ['union', z.union([z.string(), z.array(z.string())])],
    ['discriminated union', z.discriminatedUnion('kind', [a, b])],
    ['open union', openUnion('kind', [a, b])],
    // Of these the second option takes what the first one refuses, but it is not asked.
    [
      'chosen union',
      chosenUnion([a, anything], (value) =>
        value !== null && typeof value === 'object' && 'kind' in value ? a : anything,
      ),
    ],
  ])('%s', (_, schema) => {
    agree(schema, [...VALUES, ...blocks]);
    agree(
      object({ member: optional(schema) }),
      [...VALUES, ...blocks].map((member) => ({ member })),
    );
    agree(z.array(schema), [[], ...[...VALUES, ...blocks].map((member) => [member])]);
  });

  test.each(shapes.map((shape) => [`${shape.direction} ${nameOf(shape)}`, shape] as const))('%s', (_, shape) => {
    const declared = objectOf(shape.fields ?? []);
    const full = valueOf(declared, true) as { readonly type: string };
    const { schema } = lookUp(full, shape.direction === 'host->agent' ? 'from-host' : 'from-agent');
    if (schema === undefined) throw new Error('not known');
    agree(schema(), [full, valueOf(declared, false)]);
    for (const { path } of placesIn(declared))
      agree(
        schema(),
        VALUES.map((value) => withValue(full, path, value)),
      );
  });

  test('all recorded messages', () => {
    for (const { text, direction } of recordings) {
      const { message } = parseLine(text);
      const schema = message && lookUp(message, direction).schema;
      if (schema !== undefined) agree(schema(), [message]);
    }
  });
});
