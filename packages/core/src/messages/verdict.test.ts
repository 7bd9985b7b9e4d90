import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { buildSync } from 'esbuild';
import { describe, expect, test } from 'vitest';

import { parseLine } from '../framing/parse-line.ts';
import { nameOf, shapes } from './inventory.test-support.ts';
import { objectOf } from './inventory-type.test-support.ts';
import { placesIn, valueOf, withValue } from './inventory-value.test-support.ts';
import { lookUp } from './message-schema.ts';
import { object, optional } from './object-schema.ts';
import { recordings } from './recordings.test-support.ts';
import {
  array,
  boolean,
  type LazySchema,
  literal,
  nullable,
  number,
  oneOf,
  openEnum,
  record,
  string,
  textOf,
  unknown,
} from './schema.ts';
import { chosenUnion, closedUnion, openUnion, union } from './union-schema.ts';

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
const agree = (schema: LazySchema, values: readonly unknown[]) => {
  for (const value of values) {
    expect(schema.passes(value), JSON.stringify(value)).toBe(schema().safeParse(value).success);
  }
};

describe('the verdict is that of the schema of zod', () => {
  const a = object({ kind: literal('a'), text: optional(string) });
  const b = object({ kind: oneOf(['b', 'c']), list: array(number) });
  const stray = object({ kind: optional(literal('stray')), text: string });
  const anything = object({});
  const blocks = [
    { kind: 'a', text: 'x' },
    { kind: 'a', text: undefined },
    { kind: 'a', text: 5 },
    { kind: 'b' },
    { kind: 'c', list: [1] },
    { kind: 'c', list: ['x'] },
    { kind: 'c', list: undefined },
    { kind: 'd', list: 'x' },
    { kind: 'stray' },
    { kind: undefined, text: 'x' },
    { kind: undefined },
    { kind: 5 },
    { text: 'x' },
    Object.assign([], { kind: 'd' }),
  ];

  test.each<[string, LazySchema]>([
    ['string', string],
    ['text of its own type', textOf()],
    ['number', number],
    ['boolean', boolean],
    ['unknown', unknown],
    ['literal', literal(true)],
    ['open enumeration', openEnum(['text'])],
    ['enumeration', oneOf(['text'])],
    ['nullable', nullable(string)],
    ['array', array(string)],
    ['record', record(string)],
    ['record of records', record(record(unknown))],
    ['object', object({ key: optional(string) })],
    ['required member', object({ key: unknown })],
    ['union', union([string, array(string)])],
    ['closed union', closedUnion('kind', { a, b, c: b })],
    ['open union', openUnion('kind', { a, b, c: b })],
    ['open union of which one may lack the member', openUnion('kind', { a, stray }, stray)],
    // Of these the second option takes what the first one refuses, but it is not asked.
    [
      'chosen union',
      chosenUnion([a, anything], (value) =>
        value !== null && typeof value === 'object' && 'kind' in value ? a : anything,
      ),
    ],
  ])('%s', (_, schema) => {
    const values = [...VALUES, Number.POSITIVE_INFINITY, ...blocks];
    agree(schema, values);
    const members = [{}, ...values.map((member) => ({ member }))];
    for (const member of [schema, optional(schema), optional(nullable(schema))]) agree(object({ member }), members);
    agree(array(schema), [[], ...values.map((element) => [element])]);
    agree(record(schema), [{}, ...values.map((element) => ({ element }))]);
  });

  test.each(shapes.map((shape) => [`${shape.direction} ${nameOf(shape)}`, shape] as const))('%s', (_, shape) => {
    const declared = objectOf(shape.fields ?? []);
    const full = valueOf(declared, true) as { readonly type: string };
    const { schema } = lookUp(full, shape.direction === 'host->agent' ? 'from-host' : 'from-agent');
    if (schema === undefined) throw new Error('not known');
    agree(schema, [full, valueOf(declared, false)]);
    for (const { path } of placesIn(declared))
      agree(
        schema,
        VALUES.map((value) => withValue(full, path, value)),
      );
  });

  test('all recorded messages', () => {
    for (const { text, direction } of recordings) {
      const { message } = parseLine(text);
      const schema = message && lookUp(message, direction).schema;
      if (schema !== undefined) agree(schema, [message]);
    }
  });
});

test('works where code may not be made at run time', () => {
  const entry = fileURLToPath(new URL('index.ts', import.meta.url));
  const program = `
    import { parseMessage } from ${JSON.stringify(entry)};
    const kinds = new Set();
    for (let i = 0; i < 100; i++) {
      const issue = { path: ['startup_mark'], message: 'expected string' };
      const parsed = parseMessage({ type: 'keep_alive', startup_mark: i }, { direction: 'from-host', mode: 'strict' });
      kinds.add(parsed.kind + parsed.issues?.[0].path + parseMessage({ type: 'keep_alive' }, { direction: 'from-host' }).kind);
    }
    console.log([...kinds].join());`;
  const { outputFiles } = buildSync({
    stdin: { contents: program, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    write: false,
    format: 'esm',
    logLevel: 'silent',
  });
  const code = outputFiles[0]?.text ?? '';
  const output = execFileSync(process.execPath, ['--disallow-code-generation-from-strings', '--input-type=module'], {
    input: code,
  });
  expect(output.toString().trim()).toBe('invalidstartup_markknown');
});
