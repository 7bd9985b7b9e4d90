import { describe, expect, test } from 'vitest';
import { exampleOf } from './example.ts';
import { validate } from './validate.ts';

const SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  object: {
    type: 'object',
    properties: { name: { type: 'string', minLength: 6 }, count: { type: 'integer', minimum: 3 } },
    required: ['name', 'count'],
    additionalProperties: false,
  },
  list: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 2, maxItems: 3 },
  choice: { anyOf: [{ type: 'null' }, { type: 'boolean' }] },
  reference: { $ref: '#/$defs/node', $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } } },
  endless: { $ref: '#/$defs/a', $defs: { a: { type: 'object', required: ['a'], properties: { a: { $ref: '#/$defs/a' } } } } },
  combined: { allOf: [{ type: 'object', required: ['a'], properties: { a: { const: 1 } } }, { required: ['b'] }] },
};

test.each(Object.entries(SCHEMAS).filter(([name]) => name !== 'endless' && name !== 'combined'))(
  'an example of %s has its form',
  (_, schema) => {
    expect(validate(exampleOf(schema), schema)).toEqual([]);
  },
);

test('a schema that cannot be fulfilled has an end all the same', () => {
  const { endless = {} } = SCHEMAS;
  expect(validate(exampleOf(endless), endless)).not.toEqual([]);
});

describe('problems name the place of the wrong value', () => {
  test.each([
    ['object', { name: 7, count: 3 }, ['/name: must be string']],
    ['object', { name: 'longer', count: 3.5 }, ['/count: must be integer']],
    ['object', { name: 'longer' }, ["/: must have required property 'count'"]],
    ['object', { name: 'longer', count: 2 }, ['/count: must be at least 3']],
    ['object', { name: 'longer', count: 3, more: 1 }, ["/: must NOT have additional properties ('more')"]],
    ['object', [], ['/: must be object']],
    ['list', ['a', 'c'], ['/1: must be one of the values']],
    ['list', ['a'], ['/: must be at least 2']],
    ['choice', 'a', ['/: must match one of the schemas']],
    ['reference', { next: { next: 1 } }, ['/next/next: must be object']],
    ['combined', { a: 2, b: 1 }, ['/a: must be the value']],
  ])('%s: %j', (name, value, problems) => {
    expect(validate(value, SCHEMAS[name] ?? {})).toEqual(problems);
  });
});

test('a value that is nested without end is wrong, not an overflow', () => {
  let value: unknown = {};
  for (let depth = 0; depth < 10_000; depth++) value = { next: value };
  expect(validate(value, SCHEMAS['reference'] ?? {})).toMatchObject([expect.stringContaining('nested too deeply')]);
});
