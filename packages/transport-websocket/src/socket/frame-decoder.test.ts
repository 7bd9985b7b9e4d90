import fc from 'fast-check';
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { createFrameDecoder } from './frame-decoder.ts';

const line = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));

function decode(frames: readonly (string | Uint8Array)[]): unknown[] {
  const decoder = createFrameDecoder({});
  return frames.flatMap((frame) => decoder.push(frame) ?? []);
}

/** Cuts a text at some places. */
function cut<T extends string | Uint8Array>(whole: T, places: readonly number[]): T[] {
  const at = [0, ...places.map((place) => Math.floor(place * whole.length)).sort((a, b) => a - b), whole.length];
  return at.slice(1).map((end, index) => whole.slice(at[index], end) as T);
}

verifies('WSK-7', 'property: a frame of several lines is split, with or without a final line end', () => {
  const frame = fc.record({ lines: fc.array(line, { minLength: 1, maxLength: 4 }), ended: fc.boolean() });
  fc.assert(
    fc.property(fc.array(frame), (frames) => {
      const texts = frames.map(({ lines, ended }) => lines.join('\n') + (ended ? '\n' : ''));
      expect(decode(texts)).toEqual(frames.flatMap(({ lines }) => lines));
    }),
  );
});

verifies('WSK-8', 'property: lines cut across frames are joined, as text and as bytes', () => {
  const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 });
  fc.assert(
    fc.property(fc.array(line), places, fc.boolean(), (lines, places, asBytes) => {
      const text = lines.map((each) => `${each}\n`).join('');
      const whole = asBytes ? new TextEncoder().encode(text) : text;
      expect(decode(cut<string | Uint8Array>(whole, places))).toEqual(lines);
    }),
  );
});

test('property: objects without line ends are joined wherever they are cut', () => {
  // Many characters that end a string or an object, or look as if they did.
  const text = fc.array(fc.constantFrom('"', '\\', '{', '}', '[', ']', ' ', 'x', 'ü', '😀'), { maxLength: 12 });
  const objects = fc.array(
    fc.dictionary(
      fc.string(),
      fc.oneof(
        text.map((units) => units.join('')),
        fc.jsonValue(),
      ),
    ),
  );
  const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });
  fc.assert(
    fc.property(objects, places, fc.boolean(), (values, places, asBytes) => {
      const lines = values.map((value) => JSON.stringify(value));
      const wholes = lines.map((each) => (asBytes ? new TextEncoder().encode(each) : each));
      expect(decode(wholes.flatMap((whole) => cut<string | Uint8Array>(whole, places)))).toEqual(lines);
    }),
  );
});

test('a frame that does not begin with an object is a line by itself, and does not damage other lines', () => {
  expect(decode(['nonsense', '{"a":1}', '"x', '[1]', ' ', '{"b":2}\n'])).toEqual([
    'nonsense',
    '{"a":1}',
    '"x',
    '[1]',
    ' {"b":2}',
  ]);
});

test('brackets and quotes within strings do not end an object', () => {
  expect(decode(['{"a":"}', '\\"}', '"', '}', '{"b":{}', '}'])).toEqual(['{"a":"}\\"}"}', '{"b":{}}']);
});

test('a frame with exactly the allowed number of lines is split, and a frame with more is refused', () => {
  const decoder = createFrameDecoder({ maxFrameLines: 1000 });
  expect(decoder.push('1\n'.repeat(1000))).toHaveLength(1000);
  expect(decoder.push('1\n'.repeat(1001))).toBeUndefined();
  expect(decoder.push(new TextEncoder().encode('1\n'.repeat(1001)))).toBeUndefined();
});
