import { verifies } from '@proto/test-support/verifies';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { createLineDecoder, type Line } from './line-decoder.ts';

const LIMIT = 24;
// Half of the bytes come from a few critical values: line ends, blanks, and first and following bytes of characters.
const hardByte = fc.constantFrom(
  0x0a,
  0x0a,
  0x0d,
  0x20,
  0x7b,
  0x80,
  0x9f,
  0xa0,
  0xbb,
  0xbf,
  0xc3,
  0xe0,
  0xe2,
  0xed,
  0xef,
  0xf0,
  0xf4,
  0xff,
);
const anyBytes = fc
  .array(fc.oneof(hardByte, fc.integer({ min: 0, max: 255 })), { maxLength: 160, size: 'max' })
  .map((values) => Uint8Array.from(values));
const validText = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('\n', '\r', ' ', '\uFEFF', 'a', 'é', '߿', 'ࠀ', '€', '😀') },
      fc.string({ unit: 'binary', maxLength: 6 }),
    ),
    {
      maxLength: 60,
      size: 'max',
    },
  )
  .map((parts) => parts.join(''));
const cuts = fc.array(fc.nat({ max: 12 }), { maxLength: 100, size: 'max' });

/** The expected lines of a whole stream: split the bytes at LF, then decode each line alone. */
function expected(stream: Uint8Array, limit: number): unknown[] {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const lines: unknown[] = [];
  let start = 0;
  for (let at = 0; at <= stream.length; at++) {
    if (at < stream.length && stream[at] !== 0x0a) continue;
    const text = decoder.decode(stream.subarray(start, at));
    const unmarked = (part: string): string => (start === 0 ? part.replace(/^\uFEFF/, '') : part);
    if (at - start > limit) {
      const head = unmarked([...text].slice(0, Math.min(256, Math.floor(limit / 4))).join(''));
      lines.push(expect.objectContaining({ kind: 'too-large', bytes: at - start, limit, head }));
    } else if (!/^[ \t\r]*$/.test(unmarked(text))) lines.push(unmarked(text).replace(/\r$/, ''));
    start = at + 1;
  }
  return lines;
}

/** Cuts into pieces of the given sizes, in turn; size 0 makes an empty piece. */
function cutUp<Whole extends Uint8Array | string>(whole: Whole, sizes: readonly number[]): Whole[] {
  const pieces: Whole[] = [];
  let at = 0;
  for (const size of sizes) {
    pieces.push(whole.slice(at, at + size) as Whole);
    at += size;
  }
  pieces.push(whole.slice(at) as Whole);
  return pieces;
}

/** Pushes each piece from memory that is overwritten afterwards, and checks the held bytes after each piece. */
function decodeAll(pieces: readonly (Uint8Array | string)[], limit: number): Line[] {
  const decoder = createLineDecoder({ maxLineBytes: limit });
  const lines: Line[] = [];
  for (const piece of pieces) {
    const chunk = typeof piece === 'string' ? piece : Uint8Array.from(piece);
    lines.push(...decoder.push(chunk));
    if (typeof chunk !== 'string') chunk.fill(0x0a);
    expect(decoder.heldBytes).toBeLessThanOrEqual(limit);
  }
  lines.push(...decoder.end());
  expect(decoder.heldBytes).toBe(0);
  return lines;
}

describe('decoded lines do not depend on how the stream is cut', () => {
  verifies('FRM-7', 'for characters of 1 to 4 bytes, cut at every byte', () => {
    const stream = new TextEncoder().encode('\uFEFF{"a":"aé€😀"}\r\n \n\u0000߿ࠀ\uFFFD𐀀\u{10FFFF}\n😀');
    const whole = expected(stream, 1000);
    expect(whole).toEqual(['{"a":"aé€😀"}', '\u0000߿ࠀ\uFFFD𐀀\u{10FFFF}', '😀']);
    for (let first = 0; first <= stream.length; first++) {
      expect(decodeAll(cutUp(stream, [first]), 1000)).toEqual(whole);
      expect(decodeAll(cutUp(stream, [first, 1]), 1000)).toEqual(whole);
    }
    for (let size = 1; size < 9; size++) {
      expect(
        decodeAll(
          cutUp(
            stream,
            Array.from({ length: stream.length }, () => size),
          ),
          1000,
        ),
      ).toEqual(whole);
    }
  });

  verifies(
    ['FRAME-3', 'FRM-7', 'FRM-10'],
    'for any bytes, valid or not, with and without lines above the limit',
    () => {
      const limits = fc.constantFrom(LIMIT, 1, 3, 4, 1000, Number.POSITIVE_INFINITY);
      fc.assert(
        fc.property(anyBytes, cuts, limits, (stream, sizes, limit) => {
          expect(decodeAll(cutUp(stream, sizes), limit)).toEqual(expected(stream, Math.min(limit, 2 ** 29)));
        }),
        { numRuns: 1500 },
      );
    },
  );

  verifies('FRM-7', 'for text cut inside surrogate pairs, mixed with bytes cut inside characters', () => {
    const run = fc.record({ text: validText, sizes: cuts, asBytes: fc.boolean() });
    fc.assert(
      fc.property(fc.array(run, { maxLength: 5 }), fc.constantFrom(LIMIT, 5, 1000), (runs, limit) => {
        const whole = new TextEncoder().encode(runs.map(({ text }) => text).join(''));
        const pieces = runs.flatMap(({ text, sizes, asBytes }): (Uint8Array | string)[] =>
          asBytes ? cutUp(new TextEncoder().encode(text), sizes) : cutUp(text, sizes),
        );
        expect(decodeAll(pieces, limit)).toEqual(expected(whole, limit));
      }),
      { numRuns: 500 },
    );
  });

  verifies('FRM-7', 'for text with lone surrogates', () => {
    const units = fc.array(fc.constantFrom('\n', 'a', '€', '\ud83d', '\ude00'), { maxLength: 80, size: 'max' });
    fc.assert(
      fc.property(units, cuts, fc.constantFrom(LIMIT, 8, 1000), (parts, sizes, limit) => {
        const text = parts.join('');
        expect(decodeAll(cutUp(text, sizes), limit)).toEqual(decodeAll([text], limit));
      }),
      { numRuns: 500 },
    );
  });

  verifies(['FRAME-3', 'FRM-7'], 'for long lines of any bytes in small chunks', () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 8 }),
      fc.array(hardByte, { maxLength: 8 }),
      fc.constantFrom('a', 'xyz', 'é', '€', '😀').map((text) => new TextEncoder().encode(text)),
    );
    const lines = fc.array(fc.array(piece, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 });
    // Most chunks are small enough to be collected. Chunks of one byte cut characters at every position. Chunks of more than 128 bytes
    // interrupt the collecting.
    const sizes = fc.array(fc.oneof(fc.constantFrom(1, 1, 2, 3, 64, 128, 129, 0), fc.nat({ max: 300 })), {
      minLength: 1,
      maxLength: 20,
    });
    const limits = fc.constantFrom(255, 256, 300, 2047, 2048, 3000, 1e6);
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 150 }), sizes, limits, (made, times, some, limit) => {
        const stream = Uint8Array.from(
          made.flatMap((pieces) =>
            [...Array.from({ length: times }, () => pieces).flat(), [0x0a]].flatMap((part) => [...part]),
          ),
        );
        const all = Array.from({ length: stream.length }, (_, at) => some[at % some.length] ?? 0);
        expect(decodeAll(cutUp(stream, all), limit)).toEqual(expected(stream, limit));
      }),
      { numRuns: 100 },
    );
  });

  verifies('FRM-7', 'for chunks that are longer than one decoding step', () => {
    const piece = fc.constantFrom('a', 'é', '€', '😀', 'xyz\n', '\r\n');
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 40, size: 'max' }),
        fc.nat({ max: 70_000 }),
        fc.nat({ max: 3 }),
        (parts, first, shift) => {
          const stream = new TextEncoder().encode(
            's'.repeat(shift) + parts.join('').repeat(Math.ceil(100_000 / parts.length)),
          );
          expect(decodeAll(cutUp(stream, [first]), 1e6)).toEqual(expected(stream, 1e6));
        },
      ),
      { numRuns: 20 },
    );
  });
});
