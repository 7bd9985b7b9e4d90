import { verifies } from '@proto/requirements';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeLine } from './encode-line.ts';

const separators = fc.constantFrom('\u2028', '\u2029', '\\u2028', '\\', '"', '\n', '\ud800', '\udc00', 'é', 'text');
const awkwardText = fc.array(separators).map((parts) => parts.join(''));
const awkwardValue = fc.oneof(fc.jsonValue(), awkwardText, fc.dictionary(awkwardText, awkwardText));

describe('encodeLine', () => {
  verifies(['S2-62', 'R-15.1'], 'U+2028 and U+2029 are escaped, in values and in keys', () => {
    expect(encodeLine({ type: 'x', 'k\u2028': 'a\u2028b\u2029\u2029c' })).toBe(
      '{"type":"x","k\\u2028":"a\\u2028b\\u2029\\u2029c"}\n',
    );
  });

  verifies('S2-62', 'the line parses to the same value, and nothing else differs from JSON.stringify', () => {
    fc.assert(
      fc.property(awkwardValue, (value) => {
        const line = encodeLine(value);
        const json = JSON.stringify(value);
        expect(JSON.parse(line)).toEqual(JSON.parse(json));
        const plain = json.split('\u2028').join('\\u2028').split('\u2029').join('\\u2029');
        expect(line).toBe(`${plain}\n`);
      }),
      { numRuns: 500 },
    );
  });

  verifies('R-15.1', 'lone surrogates are escaped, so the line is valid UTF-8', () => {
    const line = encodeLine({ type: 'x', text: 'a\ud83d b\ude00 😀' });
    expect(line).toBe('{"type":"x","text":"a\\ud83d b\\ude00 😀"}\n');
    expect(new TextDecoder('utf-8', { fatal: true }).decode(new TextEncoder().encode(line))).toBe(line);
  });

  test('what JSON cannot express is a TypeError', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    for (const value of [undefined, () => 1, Symbol('s'), { toJSON: () => undefined }]) {
      expect(() => encodeLine(value)).toThrow(new TypeError(`JSON cannot express a value of type ${typeof value}`));
    }
    for (const value of [1n, { n: 1n }, cycle]) expect(() => encodeLine(value)).toThrow(TypeError);
  });
});
