import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutPayload } from './cut-payload.ts';

test('property: the payload is returned as it is written, at any place of the envelope', () => {
  const others = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(others, fc.jsonValue(), others, (before, payload, after) => {
      for (const members of [before, after]) delete members['payload'];
      const text = JSON.stringify({ ...before, payload, ...after });
      const result = cutPayload(text);
      expect(result?.payload).toBe(JSON.stringify(payload));
      expect(result?.envelope).toEqual(JSON.parse(JSON.stringify({ ...before, payload: null, ...after })));
    }),
  );
});

test('only a member of the envelope itself is the payload', () => {
  expect(cutPayload('{"a":"payload","b":{"payload":1},"c":"\\"payload\\":2"}')).toBeUndefined();
  expect(cutPayload('{"a":"\\\\","payload" : {"x":"}"} ,"b":[1,2]}')).toEqual({
    envelope: { a: '\\', payload: null, b: [1, 2] },
    payload: '{"x":"}"}',
  });
});

test.each([
  '',
  'null',
  '[]',
  '{',
  '{"payload":',
  '{"payload":1',
  '{"payload":1}}',
  '{"payload":1,"payload":1}',
  '{"payload":1,"\\u0070ayload":2}',
  '{"a":{"payload":1}}',
  '{"payload":1,"b"}',
  '"payload":1',
  '[{"payload":1}]',
])('%s is not an envelope', (text) => {
  expect(cutPayload(text)).toBeUndefined();
});

test('a number beyond the precision of JavaScript is unchanged', () => {
  expect(cutPayload('{"payload":{"n":12345678901234567890}}')?.payload).toBe('{"n":12345678901234567890}');
});

/** Objects whose member names may be duplicated, escaped, or only similar to the payload. */
const envelope = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        '"payload"',
        '"\\u0070ayload"',
        '"p\\u0061yload"',
        '"Payload"',
        '"payload "',
        '"x"',
        '"\\"payload"',
      ),
      fc.jsonValue().map((value) => JSON.stringify(value)),
    ),
    { maxLength: 4 },
  )
  .map((members) => `{${members.map(([name, value]) => `${name} : ${value}`).join(' , ')}}`);

test('property: the payload equals that of JSON.parse, and an ambiguous envelope has none', () => {
  fc.assert(
    fc.property(envelope, (text) => {
      const payloads = text.match(/(?<!\\)"(?:p|\\u0070)(?:a|\\u0061)yload" :/g) ?? [];
      const result = cutPayload(text);
      const { payload, ...rest } = JSON.parse(text) as { readonly payload?: unknown };
      expect(result !== undefined).toBe(payloads.length === 1);
      if (result === undefined) return;
      expect(JSON.parse(result.payload)).toEqual(payload);
      expect(result.envelope).toEqual({ ...rest, payload: null });
    }),
    { numRuns: 2000 },
  );
});
