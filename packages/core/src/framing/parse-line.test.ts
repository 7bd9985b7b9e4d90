import { verifies } from '@proto/requirements';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeLine } from './encode-line.ts';
import { createLineDecoder } from './line-decoder.ts';
import { parseLine } from './parse-line.ts';

describe('parseLine', () => {
  test('a message is an object with a type; everything in it is kept', () => {
    const message = { type: 'x', unknown: { deep: [1, null] }, __proto__: undefined };
    expect(parseLine(JSON.stringify(message))).toEqual({ message: JSON.parse(JSON.stringify(message)) });
    expect(parseLine(' {"type":""} ')).toEqual({ message: { type: '' } });
  });

  verifies('R-15.2', 'a line that is no message is malformed, by reason', () => {
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

  verifies('R-15.2', 'no line makes it throw, and a reason holds nothing of the line', () => {
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      fc.string().map((text) => `{"type":"x"${text}}`),
    );
    const reasons = ['not-json', 'null', 'not-an-object', 'no-type'];
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

  verifies('R-15.2', 'noise between two messages costs neither of them', () => {
    const stream = `${encodeLine({ type: 'a' })}[warning] noise\n${encodeLine({ type: 'b' })}`;
    const parsed = createLineDecoder()
      .push(stream)
      .map((line) => parseLine(line as string));
    expect(parsed).toEqual([{ message: { type: 'a' } }, { malformed: 'not-json' }, { message: { type: 'b' } }]);
  });
});
