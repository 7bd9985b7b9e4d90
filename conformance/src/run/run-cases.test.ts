import { expect, test } from 'vitest';

import type { Case } from '../cases/case-schema.ts';
import { runCases } from './run-cases.ts';

const cases = Array.from(
  { length: 20 },
  (_, at): Case => ({
    id: `agent/a/${at}`,
    title: 'A case.',
    side: 'agent',
    spec: ['TRN-16'],
    level: 'must',
    needs: [],
    start: {},
    steps: [],
  }),
);

test('after the given number of failed cases, no more cases are started', async () => {
  const started: string[] = [];
  const results = await runCases({
    cases,
    jobs: 1,
    mostFailed: 3,
    runCase: async ({ id }) => {
      started.push(id);
      return id.endsWith('0') ? { verdict: 'passed', failures: [] } : { verdict: 'failed', failures: [] };
    },
  });
  expect(started).toEqual(['agent/a/0', 'agent/a/1', 'agent/a/2', 'agent/a/3']);
  expect(results.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['agent/a/0', 'passed'],
    ['agent/a/1', 'failed'],
    ['agent/a/2', 'failed'],
    ['agent/a/3', 'failed'],
  ]);
});

test('a case that breaks only known rules is not counted as failed', async () => {
  const failure = { spec: 'TRN-10', level: 'must', message: 'The turn does not end.' } as const;
  const results = await runCases({
    cases,
    jobs: 1,
    mostFailed: 1,
    knownRules: ['turn/known'],
    runCase: async ({ id }) => ({
      verdict: 'failed',
      failures: [{ ...failure, rule: 'turn/known' }, ...(id.endsWith('4') ? [{ ...failure, rule: 'turn/new' }] : [])],
    }),
  });
  expect(results).toHaveLength(5);
});

test('without such a number, all cases run', async () => {
  const results = await runCases({ cases, runCase: async () => ({ verdict: 'failed', failures: [] }) });
  expect(results).toHaveLength(20);
});
