import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutPayload } from './cut-payload.ts';

test('property: the payload comes out as it stands, wherever it is in the envelope', () => {
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

test('what reads like a payload is none', () => {
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
  '{"payload":1,"b"}',
  '"payload":1',
  '[{"payload":1}]',
])('%s is no envelope', (text) => {
  expect(cutPayload(text)).toBeUndefined();
});

test('a number that JavaScript cannot hold stays what it is', () => {
  expect(cutPayload('{"payload":{"n":12345678901234567890}}')?.payload).toBe('{"n":12345678901234567890}');
});
