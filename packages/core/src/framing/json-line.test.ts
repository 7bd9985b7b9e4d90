import { verifies } from '@proto/test-support/verifies';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeLine, parseLine } from './json-line.ts';
import { createLineDecoder } from './line-decoder.ts';

const separators = fc.constantFrom('\u2028', '\u2029', '\\u2028', '\\', '"', '\n', '\ud800', '\udc00', 'é', 'text');
const awkwardText = fc.array(separators).map((parts) => parts.join(''));
const awkwardValue = fc.oneof(fc.jsonValue(), awkwardText, fc.dictionary(awkwardText, awkwardText));

describe('encodeLine', () => {
  verifies('FRM-9', 'U+2028 and U+2029 are escaped, in values and in keys', () => {
    expect(encodeLine({ type: 'x', 'k\u2028': 'a\u2028b\u2029\u2029c' })).toBe(
      '{"type":"x","k\\u2028":"a\\u2028b\\u2029\\u2029c"}\n',
    );
  });

  verifies('FRM-9', 'an encoded line parses to the same value; only the separators differ from JSON.stringify', () => {
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

  verifies('FRM-2', 'lone surrogates are escaped, so the line is valid UTF-8', () => {
    const line = encodeLine({ type: 'x', text: 'a\ud83d b\ude00 😀' });
    expect(line).toBe('{"type":"x","text":"a\\ud83d b\\ude00 😀"}\n');
    expect(new TextDecoder('utf-8', { fatal: true }).decode(new TextEncoder().encode(line))).toBe(line);
  });

  test('encodeLine throws a TypeError for a value that JSON cannot express', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    for (const value of [undefined, () => 1, Symbol('s'), { toJSON: () => undefined }]) {
      expect(() => encodeLine(value)).toThrow(new TypeError(`JSON cannot express a value of type ${typeof value}`));
    }
    for (const value of [1n, { n: 1n }, cycle]) expect(() => encodeLine(value)).toThrow(TypeError);
  });
});

describe('parseLine', () => {
  test('an object with a type is a message, and keeps all its members', () => {
    const message = { type: 'x', unknown: { deep: [1, null] }, __proto__: undefined };
    expect(parseLine(JSON.stringify(message))).toEqual({ message: JSON.parse(JSON.stringify(message)) });
    expect(parseLine(' {"type":""} ')).toEqual({ message: { type: '' } });
  });

  verifies('FRAME-6', 'a line that is not a message is malformed, with a reason', () => {
    for (const noise of [
      '',
      'Debugger attached.',
      '{"type":"x"',
      '{"type":"x"} {}',
      '\uFEFF{"type":"x"}',
      'undefined',
    ]) {
      expect(parseLine(noise)).toEqual({ malformed: 'not-json' });
    }
    expect(parseLine('null')).toEqual({ malformed: 'null' });
    for (const value of ['5', 'true', '"{}"', '[]', '[{"type":"x"}]']) {
      expect(parseLine(value)).toEqual({ malformed: 'not-an-object' });
    }
    for (const value of ['{}', '{"type":5}', '{"type":null}', '{"Type":"x"}', '{"__proto__":{"type":"x"}}']) {
      expect(parseLine(value)).toEqual({ malformed: 'no-type' });
    }
  });

  verifies('FRAME-6', 'parseLine never throws, and the reason contains nothing of the line', () => {
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      fc.string().map((text) => `{"type":"x"${text}}`),
    );
    const reasons = ['not-json', 'null', 'not-an-object', 'no-type', 'too-deep'];
    fc.assert(
      fc.property(line, (text) => {
        const { message, malformed } = parseLine(text);
        if (message === undefined) expect(reasons).toContain(malformed);
        else expect(typeof message.type).toBe('string');
      }),
      { numRuns: 500 },
    );
    expect(parseLine('['.repeat(1_000_000))).toEqual({ malformed: 'not-json' });
  });

  verifies(
    'FRAME-6',
    'a line of more than 1000 levels is malformed wherever the levels are, and a line of 1000 is a message',
    () => {
      const shapes: readonly ((levels: number) => string)[] = [
        (levels) => '['.repeat(levels) + ']'.repeat(levels),
        (levels) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
        (levels) =>
          `${'{"b":"]]}}","a":['.repeat(levels / 2)}${'[]'.repeat(levels % 2)}${'],"c":{}}'.repeat(levels / 2)}`,
        (levels) => `[1,"[[[[",${'[{},'.repeat(levels - 1)}null${']'.repeat(levels - 1)},{}]`,
      ];
      const places: readonly ((deep: string) => string)[] = [
        (deep) => `{"type":"x","deep":${deep}}`,
        (deep) => `{"deep":${deep},"type":"x","text":"${'x'.repeat(5000)}"}`,
        (deep) => `{"a":[],"type":"user","deep":${deep},"b":{"c":[1,2,{"d":null}]}}`,
      ];
      fc.assert(
        fc.property(
          fc.constantFrom(...shapes),
          fc.constantFrom(...places),
          fc.oneof(fc.integer({ min: 990, max: 1010 }), fc.integer({ min: 10, max: 200_000 })),
          (shape, place, levels) => {
            // An even number, because one shape has two levels in each piece. The line itself is one level.
            const even = levels - (levels % 2);
            const parsed = parseLine(place(shape(even)));
            if (even + 1 > 1000) expect(parsed).toEqual({ malformed: 'too-deep' });
            else expect(encodeLine(parsed.message)).toBeTruthy();
          },
        ),
        { numRuns: 60 },
      );
      expect(parseLine(`{"type":"x","a":${'['.repeat(999)}${']'.repeat(999)}}`).message).toBeDefined();
      expect(parseLine(`{"type":"x","a":${'['.repeat(1000)}${']'.repeat(1000)}}`)).toEqual({ malformed: 'too-deep' });
      expect(parseLine(`[${'['.repeat(2000)}${']'.repeat(2000)}]`)).toEqual({ malformed: 'too-deep' });
    },
  );

  verifies('FRAME-6', 'noise between two messages loses neither message', () => {
    const stream = `${encodeLine({ type: 'a' })}[warning] noise\n${encodeLine({ type: 'b' })}`;
    const parsed = createLineDecoder()
      .push(stream)
      .map((line) => parseLine(line as string));
    expect(parsed).toEqual([{ message: { type: 'a' } }, { malformed: 'not-json' }, { message: { type: 'b' } }]);
  });
});
