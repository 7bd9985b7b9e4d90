import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseNumberedLine } from './numbered-lines.ts';

const json = fc.oneof(
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '{"type":"user"},"data":{"type":"control_response"}',
    '{}}',
    '1,"x":2',
    '{"data":1}',
    ' {"a":1} ',
    '',
  ),
);
const name = fc.constantFrom('"id"', '"data"', '"source"', '"\\u0064ata"', '"Data"', '"event"', '"x"');
const value = fc.oneof(json, fc.constantFrom('1', '"worker"', '"a\\"b"', '12345678901234567890'));
const line = fc
  .array(fc.tuple(name, value), { maxLength: 5 })
  .map((members) => `{${members.map(([key, text]) => `${key}:${text}`).join()}}`);

test('property: a message that is cut out of its line equals what JSON.parse finds there, even with repeated or escaped names', () => {
  fc.assert(
    fc.property(line, (text) => {
      const numbered = parseNumberedLine(text);
      if (numbered.kind !== 'message' || numbered.text === undefined) return;
      let message: unknown;
      try {
        message = JSON.parse(numbered.text);
      } catch {
        return;
      }
      const whole = JSON.parse(text) as { readonly data: unknown; readonly id?: unknown };
      expect(whole.data).toEqual(message);
      expect(whole.id).toBe(numbered.id);
    }),
    { numRuns: 5000 },
  );
});

test('a long line without a message is not parsed', () => {
  const ack = parseNumberedLine(`{"ack":1,"x":"${'x'.repeat(70_000)}"}`);
  expect(ack).toEqual({ kind: 'message', id: undefined, source: undefined, text: undefined });
});
