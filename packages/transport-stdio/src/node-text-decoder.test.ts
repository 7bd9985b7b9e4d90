import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nodeTextDecoder } from './node-text-decoder.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const kilobytes = (piece: string): Buffer => Buffer.from(piece.repeat(Math.ceil(8192 / Buffer.byteLength(piece))));

describe('nodeTextDecoder', () => {
  const decode = nodeTextDecoder();

  test('decodes short and long texts of ASCII, Latin-1, CJK and emoji, and a BOM', () => {
    for (const piece of ['a', 'aé', '\u007f', '漢字', '😀', '\uFEFFa', '\0', '\u2028']) {
      for (const bytes of [Buffer.from(piece), kilobytes(piece)]) expect(decode(bytes)).toBe(utf8.decode(bytes));
    }
  });

  test('decodes a part of a larger buffer, and a Uint8Array that is not a Buffer', () => {
    const bytes = new Uint8Array(kilobytes('xéy'));
    expect(decode(bytes.subarray(3))).toBe(utf8.decode(bytes.subarray(3)));
    expect(decode(bytes.subarray(1, 5000))).toBe(utf8.decode(bytes.subarray(1, 5000)));
    expect(decode(new Uint8Array(0))).toBe('');
  });

  test('decodes arbitrary bytes at any place of a long text', () => {
    const broken = fc.uint8Array({ maxLength: 12 });
    const base = fc.constantFrom('a', 'é', '漢', '😀');
    fc.assert(
      fc.property(
        base,
        fc.array(broken, { maxLength: 4 }),
        fc.integer({ min: 0, max: 6000 }),
        (piece, parts, before) => {
          const text = Buffer.from(piece.repeat(before));
          const bytes = Buffer.concat([text, ...parts.flatMap((part) => [part, Buffer.from(piece.repeat(500))])]);
          expect(decode(bytes) === utf8.decode(bytes)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('keeps no reference to the bytes', () => {
    const bytes = kilobytes('aé');
    const expected = utf8.decode(bytes);
    const text = decode(bytes);
    bytes.fill(0);
    expect(text).toBe(expected);
  });
});
