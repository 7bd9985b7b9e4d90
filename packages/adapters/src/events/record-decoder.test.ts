import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecordDecoder } from './record-decoder.ts';

const MAX = 200;

test('every line comes after one above the limit, with its number, wherever the output is cut and whatever ends the lines', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '',
      '{"n":1}',
      '{"é":"\u20ac"}',
      'x'.repeat(MAX),
      `{"long":"${'é'.repeat(MAX)}"}`,
      'y'.repeat(3 * MAX),
    ),
    fc.record({ n: fc.string({ maxLength: 20 }) }).map((value) => JSON.stringify(value)),
  );
  const ended = fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r\r\n'));
  const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(ended, { maxLength: 8 }), sizes, fc.boolean(), (lines, pieces, isText) => {
      const text = lines.map(([content, end]) => content + end).join('');
      const output = isText ? text : new TextEncoder().encode(text);
      const decoder = new RecordDecoder(MAX);
      const found: (readonly [number, string | undefined])[] = [];
      for (let at = 0, n = 0; at < output.length; n++) {
        const size = pieces[n % pieces.length] ?? 1;
        for (const { lineNo, malformed } of decoder.push(output.slice(at, at + size)))
          found.push([lineNo, malformed?.reason]);
        at += size;
      }
      for (const { lineNo, malformed } of decoder.end()) found.push([lineNo, malformed?.reason]);
      const wanted = lines.flatMap(([content, end], at): (readonly [number, string | undefined])[] => {
        // The carriage returns before the line feed are part of the line; JSON allows them as white space.
        const bytes = new TextEncoder().encode(content + end).length - 1;
        const reason = content.startsWith('{') ? undefined : 'not-json';
        return content === '' ? [] : [[at + 1, bytes > MAX ? 'too-large' : reason]];
      });
      expect(found).toEqual(wanted);
    }),
  );
});

test('records keep their number, whatever NULs a crash has left before, between and after them', () => {
  const decoder = new RecordDecoder();
  const text = '\0\0{"n":1}\n{"n":2}\0\0{"n":3}\0\n\0\0\n{"torn":\0\0{"n":4}\n';
  const found = [...decoder.push(text), ...decoder.end()];
  expect(found.map(({ lineNo, record }) => [lineNo, record?.['n']])).toEqual([
    [1, 1],
    [2, 2],
    [2, 3],
    [4, undefined],
    [4, 4],
  ]);
  expect(decoder.counts).toMatchObject({ lines: 3, blank: 1 });
});
