import { expect, test } from 'vitest';

import { reportText } from './report-text.ts';

const document = {
  id: 'S0',
  title: 'pipeline',
  covered: ['S0-01'],
  knownFailures: [],
  planned: ['S0-02'],
  uncovered: [],
};

test('a report without problems ends in ok', () => {
  expect(reportText({ documents: [document], problems: [] })).toBe(
    'S0  pipeline    1 covered    1 planned    0 uncovered    0 known failures\n\nok',
  );
});

test('problems stand under their rule, with the tests concerned', () => {
  const text = reportText({
    documents: [{ ...document, knownFailures: ['S0-05'] }],
    problems: [
      { rule: 'uncovered', id: 'S0-03', tests: [] },
      { rule: 'not-passing', id: 'S0-06', tests: ['a.test.ts: [S0-06] x (skipped)'] },
      { rule: 'uncovered', id: 'S0-04', tests: [] },
    ],
  });
  expect(text.split('\n').slice(2)).toEqual([
    'known failures: S0-05',
    'neither planned nor cited by a test: S0-03 S0-04',
    'cited only by tests that fail or are skipped: S0-06',
    '    a.test.ts: [S0-06] x (skipped)',
    '3 problems',
  ]);
});

test('missing results are told without an id', () => {
  const text = reportText({ documents: [], problems: [{ rule: 'no-results', tests: [] }] });
  expect(text).toBe('\nno test results found; run the tests first\n1 problem');
});
