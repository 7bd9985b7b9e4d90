import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { parse } from 'yaml';

import type { Case } from '../cases/case-schema.ts';
import type { Failure } from '../results/result.ts';
import { Shrinker } from './random-sessions.ts';

const failure = (rule: string): Failure => ({ spec: 'TRN-10', level: 'must', rule, message: `The rule ${rule}.` });
const entry: Case = {
  id: 'agent/random/one',
  title: 'A session of a test.',
  side: 'agent',
  spec: ['TRN-10'],
  level: 'must',
  needs: [],
  start: {},
  steps: [{ say: 1 }, { say: 2 }],
};

test('a session is shrunk only because of a rule that the program is not known to break', async () => {
  const shrinker = new Shrinker(mkdtempSync(join(tmpdir(), 'shrinker-')), ['turn/known']);
  const shrink = (...failures: readonly Failure[]) =>
    shrinker.shrink({ entry, failures, run: async () => failures, simpler: [] });
  expect(await shrink(failure('turn/known'))).toBeUndefined();
  const shrunk = await shrink(failure('turn/known'), failure('turn/new'));
  expect(readFileSync(shrunk?.path ?? '', 'utf8')).toContain('The session follows the rule turn/new.');
});

test('control characters of a shrunk session are written as escapes', async () => {
  const steps = [{ say: 'a\u0085b\u007f' }];
  const failures = [failure('turn/new')];
  const shrinker = new Shrinker(mkdtempSync(join(tmpdir(), 'shrinker-')));
  const shrunk = await shrinker.shrink({
    entry: { ...entry, steps },
    failures,
    run: async ({ steps: left }) => (left.length > 0 ? failures : []),
    simpler: [],
  });
  const text = readFileSync(shrunk?.path ?? '', 'utf8');
  expect(text).not.toMatch(/[\u007f-\u009f]/);
  expect(parse(text)).toMatchObject([{ steps }]);
});
