import { StepError, StepFailure } from '@proto/testkit/steps';
import { expect, test } from 'vitest';

import type { Case } from '../cases/case-schema.ts';
import { failureOf } from './citing.ts';

const written = (...lines: readonly string[]) => ({
  written: lines.map((line) => ({ t: 0, dir: 'from-agent' as const, line })),
});
const entry: Case = {
  id: 'host/random/one',
  title: 'A session of a test.',
  side: 'host',
  spec: ['TRN-15'],
  level: 'must',
  needs: [],
  start: {},
  steps: [{ await: 'settled' }, { 'expect-handed-on': {}, spec: 'FRM-6' }],
};
const error = new StepError(2, 'expect-handed-on', new StepFailure('Nothing arrived.'), { spec: 'FRM-6' });

test('a failure in a generated session is only a warning if the host need not read the lines before it', () => {
  expect(failureOf(entry, error, written('null', '{"type":"keep_alive"}'))).toMatchObject({
    spec: 'FRM-26',
    level: 'should',
  });
  expect(failureOf(entry, error, written('{"type":"keep_alive"}'))).toMatchObject({ spec: 'FRM-6', level: 'must' });
  const listed = { ...entry, steps: entry.steps.slice(1) };
  expect(failureOf(listed, error, written('null'))).toMatchObject({ spec: 'FRM-6', level: 'must' });
});
