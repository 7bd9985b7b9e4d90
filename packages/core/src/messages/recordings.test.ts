import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';

import { encodeLine, parseLine } from '../framing/json-line.ts';
import { parseMessage } from './parse-message.ts';
import { notKnown, type Recorded, recordings } from './recordings.test-support.ts';

const isNotKnown = ({ file, line }: Recorded) => notKnown.some((row) => row.file === file && row.line === line);
const titled = (recorded: Recorded) => ({ title: `${recorded.file}:${recorded.line}`, recorded });

function outcomeOf({ text, direction }: Recorded) {
  const { message, malformed } = parseLine(text);
  if (message === undefined) return { outcome: 'malformed', reason: malformed };
  const parsed = parseMessage(message, { direction });
  switch (parsed.kind) {
    case 'known':
      return { outcome: 'known', dropped: parsed.dropped };
    case 'unknown':
      return { outcome: 'unknown', name: parsed.name };
    case 'invalid':
      return { outcome: 'invalid', paths: parsed.issues.map(({ path }) => path.join('.')) };
  }
}

test.each(notKnown)('$file:$line is $outcome: $why', ({ file, line, why: _, ...expected }) => {
  const recorded = recordings.find((other) => other.file === file && other.line === line);
  expect(recorded && outcomeOf(recorded)).toEqual(expected);
});

describe('the other recorded lines', () => {
  const known = recordings.filter((recorded) => !isNotKnown(recorded)).map(titled);

  test('are more than 1300', () => {
    expect(known.length).toBeGreaterThan(1300);
  });

  test.each([...new Set(known.map(({ recorded }) => recorded.file))])('of %s are known', (file) => {
    for (const { recorded, title } of known.filter((other) => other.recorded.file === file)) {
      expect(outcomeOf(recorded), title).toEqual({ outcome: 'known', dropped: [] });
    }
  });

  verifies(['PARSE-1', 'PARSE-2'], 'are the same after they are parsed, written and parsed again', () => {
    for (const { recorded, title } of known) {
      const parsed = parseMessage(parseLine(recorded.text).message, recorded);
      if (parsed.kind !== 'known') throw new Error(`${title} is ${parsed.kind}`);
      const again = parseLine(encodeLine(parsed.message));
      expect(again.message, title).toEqual(JSON.parse(recorded.text));
      expect(JSON.stringify(again.message), title).toBe(JSON.stringify(JSON.parse(recorded.text)));
    }
  });
});
