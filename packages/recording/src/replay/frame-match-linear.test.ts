import { expect, test } from 'vitest';
import { REDACTED } from '../redaction/redactor.ts';
import { createFrameMatch } from './frame-match.ts';

const line = (text: string) => JSON.stringify({ type: 'x', text });

test.each([
  [`a${REDACTED}b`, 'a…b', true],
  [`a${REDACTED}b`, 'ab', true],
  [`a${REDACTED}a`, 'a', false],
  [`${REDACTED}b${REDACTED}`, 'xbx', true],
  [`${REDACTED}b${REDACTED}`, 'xx', false],
  [`a${REDACTED}b${REDACTED}b`, 'axb', false],
  [`a${REDACTED}b${REDACTED}b`, 'axbyb', true],
  [`a${REDACTED}.b`, 'axyb', false],
])('%s and %s: %s', (recorded, live, isAlike) => {
  expect(createFrameMatch('ids').differences(line(recorded), line(live))).toHaveLength(isAlike ? 0 : 1);
});

test('a text with many gaps is compared once, and not in all the ways to fill them', () => {
  const recorded = line(`${Array(30).fill('a').join(REDACTED)}b`);
  const before = process.cpuUsage();
  expect(createFrameMatch('ids').differences(recorded, line('a'.repeat(20_000)))).toHaveLength(1);
  // A regular expression with backtracking would take years.
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(1);
});
