import { expect, test } from 'vitest';

import { parseReporter } from '../reporters/reporter.ts';
import { createReport, exitCodeOf } from '../results/report.ts';
import type { CaseResult, Difference } from '../results/result.ts';
import { questionsOf } from './questions.ts';

const result = (id: string, differences?: readonly Difference[]): CaseResult => ({
  id,
  title: 'A session.',
  spec: ['TRN-16'],
  level: 'must',
  verdict: 'passed',
  ms: 1,
  failures: [],
  ...(differences === undefined ? {} : { differences }),
});
const model = { fact: 'answer to set_model', tested: 'error', other: 'success' };
const count = (tested: string, other: string) => ({ fact: 'calls of the hook "stop"', tested, other });
const reportOf = (results: readonly CaseResult[]) =>
  createReport({ program: 'agent', side: 'agent', ms: 1, results, comparedWith: 'other --quiet' });
const textOf = (results: readonly CaseResult[]) => parseReporter('text')?.reporter(reportOf(results)) ?? '';

test('the same difference in several sessions is one question', () => {
  const results = [result('one'), result('two', [count('3', '2')]), result('three', [model, model, count('2', '1')])];
  expect(questionsOf([...results, result('four', [model])])).toEqual([
    { ...model, count: 3, sessions: 2, example: 'three' },
    { ...count('3', '2'), count: 2, sessions: 2, example: 'two' },
  ]);
});

test('other outcomes and other members are other questions, and other texts are not', () => {
  const answer = (tested: object, other: object) => ({
    fact: 'answer to can_use_tool',
    tested: JSON.stringify(tested),
    other: JSON.stringify(other),
  });
  const differences = [
    model,
    { ...model, tested: 'success', other: 'error' },
    answer({ toolUseID: 'toolu_1' }, {}),
    answer({ toolUseID: 'toolu_2' }, {}),
    answer({ behavior: 'allow' }, { behavior: 'deny' }),
  ];
  expect(questionsOf([result('one', differences)]).map(({ count: times }) => times)).toEqual([2, 1, 1, 1]);
});

test('the reports show the questions, which do not change the exit code', () => {
  const results = [result('one', [model]), result('two', []), result('three')];
  const report = reportOf(results);
  expect(exitCodeOf(report, true)).toBe(0);
  const question = { ...model, count: 1, sessions: 1, example: 'one' };
  const comparison = { program: 'other --quiet', sessions: 2, questions: [question] };
  expect(JSON.parse(parseReporter('json')?.reporter(report) ?? '')).toMatchObject({ comparison });
  expect(textOf(results)).toContain(
    '2 of 3 sessions were compared with other --quiet. Differences, which are not failures, in the most sessions first:\n' +
      '  1 difference in 1 session: answer to set_model: error; other program: success (one)\n',
  );
  expect(textOf([result('one', [])])).toContain(
    '1 of 1 sessions were compared with other --quiet. The programs do the same.',
  );
  const badge = (from: typeof report) => parseReporter('badge')?.reporter(from);
  expect(badge(report)).toBe(badge(createReport({ program: 'agent', side: 'agent', ms: 1, results })));
});

test('the text has at most 20 lines about questions', () => {
  const many = Array.from({ length: 40 }, (_, at) => ({ ...model, fact: `answer to request_${at}` }));
  const text = textOf([result('one', many)]);
  const lines = text.slice(0, text.indexOf('1 passed')).trim().split('\n');
  expect(lines.length).toBeLessThanOrEqual(20);
  expect(lines.at(-1)).toBe('  … and 23 more');
});
